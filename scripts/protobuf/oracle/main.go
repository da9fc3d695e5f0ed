// Writes random objects of the built-in kinds twice, as protobuf and as JSON: what Kubernetes itself makes of them.
//
//	go run . <seed> <objects per kind> "apps/v1 Deployment" … > ../../../packages/apiserver/src/protobuf/fixtures/random-objects.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"sigs.k8s.io/randfill"
)

type object struct {
	Protobuf []byte          `json:"protobuf"`
	JSON     json.RawMessage `json:"json"`
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionregistration.AddToScheme, apps.AddToScheme, authentication.AddToScheme, authorization.AddToScheme,
		autoscaling.AddToScheme, autoscalingv2.AddToScheme, batch.AddToScheme, coordination.AddToScheme,
		core.AddToScheme, discovery.AddToScheme, events.AddToScheme, networking.AddToScheme, policy.AddToScheme,
		rbac.AddToScheme, scheduling.AddToScheme, storage.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme,
	} {
		must(add(scheme))
	}
	seed, count := integer(os.Args[1]), integer(os.Args[2])
	serializer := protobuf.NewSerializer(scheme, scheme)
	fmt.Print("[")
	separator := "\n"
	for i := int64(0); i < count; i++ {
		for _, kind := range os.Args[3:] {
			words := strings.SplitN(kind, " ", 2)
			groupVersion, err := schema.ParseGroupVersion(words[0])
			must(err)
			gvk := groupVersion.WithKind(words[1])
			value, err := scheme.New(gvk)
			must(err)
			filler(seed + i).Fill(value)
			value.GetObjectKind().SetGroupVersionKind(gvk)
			var wire bytes.Buffer
			must(serializer.Encode(value, &wire))
			// What a server has of it: the types of inner objects, for one, are not on the wire.
			received, _, err := serializer.Decode(wire.Bytes(), nil, nil)
			must(err)
			text, err := json.Marshal(received)
			must(err)
			line, err := json.Marshal(object{Protobuf: wire.Bytes(), JSON: text})
			must(err)
			fmt.Printf("%s%s", separator, line)
			separator = ",\n"
		}
	}
	fmt.Println("\n]")
}

// Types whose fields cannot be filled one by one.
func filler(seed int64) *randfill.Filler {
	return randfill.NewWithSeed(seed).NilChance(0.6).NumElements(1, 2).MaxDepth(14).Funcs(
		func(v *string, c randfill.Continue) {
			*v = []string{"", "a", "web-1", "example.com/é", "__proto__", "x\"\n"}[c.Intn(6)]
		},
		func(v *int64, c randfill.Continue) { *v = []int64{0, 1, -1, 300, 1 << 40}[c.Intn(5)] },
		func(v *int32, c randfill.Continue) { *v = []int32{0, 1, -7, 8080, 1 << 30}[c.Intn(5)] },
		func(v *float64, c randfill.Continue) { *v = []float64{0, 1.5, -2, 1e9}[c.Intn(4)] },
		func(v *meta.Time, c randfill.Continue) {
			if c.Bool() {
				*v = meta.NewTime(time.Unix(int64(c.Intn(2_000_000_000)), 0).UTC())
			}
		},
		func(v *meta.MicroTime, c randfill.Continue) {
			*v = meta.NewMicroTime(time.Unix(int64(c.Intn(2_000_000_000)), int64(c.Intn(1_000_000))*1000).UTC())
		},
		func(v *resource.Quantity, c randfill.Continue) {
			*v = resource.MustParse([]string{"0", "100m", "1Gi", "1.5", "2k"}[c.Intn(5)])
		},
		func(v *intstr.IntOrString, c randfill.Continue) {
			*v = []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(80), intstr.FromString("25%"), intstr.FromString("")}[c.Intn(4)]
		},
		func(v *runtime.RawExtension, c randfill.Continue) { v.Raw = []byte(`{"kind":"Thing","list":[1,null]}`) },
		func(v *meta.FieldsV1, c randfill.Continue) { v.Raw = []byte(`{"f:metadata":{".":{}}}`) },
		func(v *apiextensions.JSON, c randfill.Continue) {
			v.Raw = []byte([]string{`1`, `"a"`, `{"b":[true]}`, `null`}[c.Intn(4)])
		},
		func(v *apiextensions.JSONSchemaPropsOrArray, c randfill.Continue) {
			v.Schema = &apiextensions.JSONSchemaProps{Type: "string", Nullable: c.Bool()}
		},
		func(v *apiextensions.JSONSchemaPropsOrBool, c randfill.Continue) {
			if v.Allows = c.Bool(); v.Allows {
				v.Schema = &apiextensions.JSONSchemaProps{Type: "integer"}
			}
		},
		func(v *apiextensions.JSONSchemaPropsOrStringArray, c randfill.Continue) { v.Property = []string{"a", "b"} },
	)
}

func integer(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	must(err)
	return value
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
