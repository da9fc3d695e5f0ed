// Package oracle runs cases of server-side apply through Kubernetes' own code and records what it does.
//
//	CASES=in.json ANSWERS=out.json go test .
//
// It is a test for one reason: testing/synctest gives it a clock that stands still between operations, so that the times in
// managedFields are those that the case asks for.
package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"
)

type file struct {
	// Named schemas that cases refer to, and the definitions that `$ref` points to.
	Schemas map[string]json.RawMessage `json:"schemas"`
	Cases   []testCase                 `json:"cases"`
}

type testCase struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// apiVersion to the name of a schema; an empty name means a kind without a schema.
	Versions map[string]string `json:"versions"`
	// Fields of spec that are called otherwise in one version: apiVersion to name there to name elsewhere.
	Renamed map[string]map[string]string `json:"renamed"`
	// Built-in kinds are decoded into Go structs, as kube-apiserver does.
	Typed      bool        `json:"typed"`
	Operations []operation `json:"operations"`
}

type operation struct {
	// create, update, merge (a JSON merge patch of what is stored), apply, or schema (the kind's schemas change);
	// scale-merge and scale-apply write to the Scale of what is stored.
	Operation   string            `json:"operation"`
	Manager     string            `json:"manager"`
	Subresource string            `json:"subresource"`
	APIVersion  string            `json:"apiVersion"`
	Force       bool              `json:"force"`
	Time        time.Time         `json:"time"`
	ResetFields [][]string        `json:"resetFields"`
	Object      json.RawMessage   `json:"object"`
	Versions    map[string]string `json:"versions"`
}

type answer struct {
	Name    string   `json:"name"`
	Results []result `json:"results"`
}

type result struct {
	// What is stored afterwards.
	Object json.RawMessage `json:"object,omitempty"`
	Status *metav1.Status  `json:"status,omitempty"`
	Error  string          `json:"error,omitempty"`
}

func TestOracle(t *testing.T) {
	input, output := os.Getenv("CASES"), os.Getenv("ANSWERS")
	if input == "" {
		t.Skip("CASES is not set")
	}
	raw, err := os.ReadFile(input)
	if err != nil {
		t.Fatal(err)
	}
	var f file
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	answers := make([]answer, 0, len(f.Cases))
	for _, c := range f.Cases {
		synctest.Test(t, func(t *testing.T) {
			results, err := run(f.Schemas, c)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			answers = append(answers, answer{c.Name, results})
		})
	}
	out, err := json.MarshalIndent(answers, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(output, append(out, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(schemas map[string]json.RawMessage, c testCase) ([]result, error) {
	var live *unstructured.Unstructured
	versions := c.Versions
	results := []result{}
	for i, op := range c.Operations {
		time.Sleep(time.Until(op.Time))
		if op.Operation == "schema" {
			versions = op.Versions
			results = append(results, result{})
			continue
		}
		converter, err := typeConverter(schemas, c, versions)
		if err != nil {
			return nil, err
		}
		var next *unstructured.Unstructured
		if how, ok := strings.CutPrefix(op.Operation, "scale-"); ok {
			next, err = scale(schemas, versions, how, op, live)
		} else {
			next, err = perform(converter, c, versions, op, live)
		}
		var status apierrors.APIStatus
		switch {
		case errors.As(err, &status):
			s := status.Status()
			s.Kind, s.APIVersion = "Status", "v1" // as every response has it
			if s.Details != nil {
				slices.SortStableFunc(s.Details.Causes, func(a, b metav1.StatusCause) int {
					return strings.Compare(a.Message, b.Message)
				})
			}
			results = append(results, result{Status: &s})
		case err != nil:
			results = append(results, result{Error: err.Error()})
		default:
			if next.GetUID() == "" {
				next.SetUID("1")
			}
			live = next
			raw, err := json.Marshal(live.Object)
			if err != nil {
				return nil, fmt.Errorf("operation %d: %w", i, err)
			}
			results = append(results, result{Object: raw})
		}
	}
	return results, nil
}

// TestEmptyObjects writes what a new Go struct of each built-in kind looks like in JSON.
func TestEmptyObjects(t *testing.T) {
	output := os.Getenv("EMPTY_OBJECTS")
	if output == "" {
		t.Skip("EMPTY_OBJECTS is not set")
	}
	objects := map[string]map[string]runtime.Object{}
	for gvk := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal || strings.HasSuffix(gvk.Kind, "List") || strings.HasSuffix(gvk.Kind, "Options") {
			continue
		}
		object, err := scheme.Scheme.New(gvk)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := object.(metav1.Object); !ok {
			continue
		}
		apiVersion := gvk.GroupVersion().String()
		if objects[apiVersion] == nil {
			objects[apiVersion] = map[string]runtime.Object{}
		}
		objects[apiVersion][gvk.Kind] = object
	}
	out, err := json.MarshalIndent(objects, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(output, append(out, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func perform(converter managedfields.TypeConverter, c testCase, versions map[string]string, op operation, stored *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	gv, err := schema.ParseGroupVersion(op.APIVersion)
	if err != nil {
		return nil, err
	}
	gvk := gv.WithKind(c.Kind)
	w := world{versions: versions, renamed: c.Renamed, typed: c.Typed}
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	for version := range versions {
		set := fieldpath.NewSet()
		for _, p := range op.ResetFields {
			path := fieldpath.Path{}
			for _, name := range p {
				path = append(path, fieldpath.PathElement{FieldName: &name})
			}
			set.Insert(path)
		}
		reset[fieldpath.APIVersion(version)] = set
	}
	newManager := managedfields.NewDefaultCRDFieldManager
	if c.Typed {
		newManager = managedfields.NewDefaultFieldManager
	}
	manager, err := newManager(converter, w, w, w, gvk, gv, op.Subresource, fieldpath.NewExcludeFilterSetMap(reset))
	if err != nil {
		return nil, err
	}

	live, err := w.New(gvk)
	if err != nil {
		return nil, err
	}
	if stored != nil {
		if live, err = w.decode(stored.DeepCopy(), gvk); err != nil {
			return nil, err
		}
		if live, err = w.ConvertToVersion(live, gv); err != nil {
			return nil, err
		}
	}
	var out runtime.Object
	switch op.Operation {
	case "apply":
		// As the handler does it: numbers are floats.
		patch := &unstructured.Unstructured{Object: map[string]interface{}{}}
		if err := yaml.Unmarshal(op.Object, &patch.Object); err != nil {
			return nil, err
		}
		if out, err = manager.Apply(live, patch, op.Manager, op.Force); err != nil {
			return nil, err
		}
	case "create", "update", "merge":
		next := &unstructured.Unstructured{}
		object := []byte(op.Object)
		if op.Operation == "merge" {
			converted, err := w.encode(live)
			if err != nil {
				return nil, err
			}
			var patch interface{}
			if err := json.Unmarshal(op.Object, &patch); err != nil {
				return nil, err
			}
			if object, err = json.Marshal(mergePatch(converted.Object, patch)); err != nil {
				return nil, err
			}
		}
		if err := next.UnmarshalJSON(object); err != nil {
			return nil, err
		}
		decoded, err := w.decode(next, gvk)
		if err != nil {
			return nil, err
		}
		out = manager.UpdateNoErrors(live, decoded, op.Manager)
	default:
		return nil, fmt.Errorf("no such operation: %s", op.Operation)
	}
	return w.encode(out)
}

// scale does what the registries of Deployments and custom resources do with a write to /scale.
func scale(schemas map[string]json.RawMessage, versions map[string]string, how string, op operation, stored *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	parent := stored.DeepCopy()
	parent.SetAPIVersion(op.APIVersion)
	mappings := managedfields.ResourcePathMappings{}
	for version := range versions {
		mappings[version] = fieldpath.MakePathOrDie("spec", "replicas")
	}
	gv, err := schema.ParseGroupVersion(op.APIVersion)
	if err != nil {
		return nil, err
	}
	handler := managedfields.NewScaleHandler(parent.GetManagedFields(), gv, mappings)
	entries, err := handler.ToSubresource()
	if err != nil {
		return nil, err
	}
	live := &unstructured.Unstructured{Object: map[string]interface{}{"status": map[string]interface{}{}}}
	live.SetAPIVersion("autoscaling/v1")
	live.SetKind("Scale")
	live.SetName(parent.GetName())
	live.SetUID(parent.GetUID())
	live.SetManagedFields(entries)
	replicas, _, _ := unstructured.NestedFieldNoCopy(parent.Object, "spec", "replicas")
	if err := unstructured.SetNestedField(live.Object, replicas, "spec", "replicas"); err != nil {
		return nil, err
	}

	c := testCase{Kind: "Scale"}
	scaleVersions := map[string]string{"autoscaling/v1": "Scale"}
	converter, err := typeConverter(schemas, c, scaleVersions)
	if err != nil {
		return nil, err
	}
	inner := op
	inner.Operation, inner.APIVersion, inner.Subresource = how, "autoscaling/v1", "scale"
	out, err := perform(converter, c, scaleVersions, inner, live)
	if err != nil {
		return nil, err
	}
	entries, err = handler.ToParent(out.GetManagedFields())
	if err != nil {
		return nil, err
	}
	parent.SetManagedFields(entries)
	replicas, _, _ = unstructured.NestedFieldNoCopy(out.Object, "spec", "replicas")
	return parent, unstructured.SetNestedField(parent.Object, replicas, "spec", "replicas")
}

func mergePatch(target, patch interface{}) interface{} {
	fields, ok := patch.(map[string]interface{})
	if !ok {
		return patch
	}
	out := map[string]interface{}{}
	if existing, ok := target.(map[string]interface{}); ok {
		for k, v := range existing {
			out[k] = v
		}
	}
	for k, v := range fields {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = mergePatch(out[k], v)
		}
	}
	return out
}

func typeConverter(schemas map[string]json.RawMessage, c testCase, versions map[string]string) (managedfields.TypeConverter, error) {
	models := map[string]*spec.Schema{}
	for _, name := range versions {
		if err := addModel(models, schemas, name); err != nil {
			return nil, err
		}
	}
	for apiVersion, name := range versions {
		if name == "" {
			return managedfields.NewDeducedTypeConverter(), nil
		}
		gv, err := schema.ParseGroupVersion(apiVersion)
		if err != nil {
			return nil, err
		}
		model := *models[name]
		model.Extensions = spec.Extensions{}
		for key, value := range models[name].Extensions {
			model.Extensions[key] = value
		}
		model.Extensions["x-kubernetes-group-version-kind"] = []interface{}{
			map[string]interface{}{"group": gv.Group, "version": gv.Version, "kind": c.Kind},
		}
		models["kind."+strings.ReplaceAll(apiVersion, "/", ".")] = &model
	}
	return managedfields.NewTypeConverter(models, false)
}

var reference = regexp.MustCompile(`"#/definitions/([^"]+)"`)

// addModel adds a schema and all that it refers to.
func addModel(models map[string]*spec.Schema, schemas map[string]json.RawMessage, name string) error {
	if name == "" || models[name] != nil {
		return nil
	}
	s := &spec.Schema{}
	if err := json.Unmarshal(schemas[name], s); err != nil {
		return fmt.Errorf("schema %s: %w", name, err)
	}
	models[name] = s
	for _, found := range reference.FindAllSubmatch(schemas[name], -1) {
		if err := addModel(models, schemas, string(found[1])); err != nil {
			return err
		}
	}
	return nil
}

// world converts, creates and defaults objects of the one kind of a case.
type world struct {
	versions map[string]string
	renamed  map[string]map[string]string
	typed    bool
}

func (w world) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	if w.typed {
		return scheme.Scheme.New(gvk)
	}
	u := &unstructured.Unstructured{Object: map[string]interface{}{}}
	u.SetGroupVersionKind(gvk)
	return u, nil
}

func (w world) decode(u *unstructured.Unstructured, gvk schema.GroupVersionKind) (runtime.Object, error) {
	if !w.typed {
		return u, nil
	}
	object, err := scheme.Scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	return object, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, object)
}

func (w world) encode(object runtime.Object) (*unstructured.Unstructured, error) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		return u, nil
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	return u, u.UnmarshalJSON(raw)
}

func (w world) Default(runtime.Object) {}

func (w world) Convert(in, out, context interface{}) error { return errors.New("not used") }

func (w world) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	return "", "", errors.New("not used")
}

func (w world) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	kind := in.GetObjectKind().GroupVersionKind()
	gv := target.(schema.GroupVersion)
	if w.typed {
		if u, ok := in.(*unstructured.Unstructured); ok {
			var err error
			if in, err = w.decode(u, kind); err != nil {
				return nil, err
			}
		}
		return scheme.Scheme.ConvertToVersion(in, gv)
	}
	if _, ok := w.versions[gv.String()]; !ok {
		return nil, runtime.NewNotRegisteredErrForKind("oracle", gv.WithKind(kind.Kind))
	}
	u := in.(*unstructured.Unstructured).DeepCopy()
	if from := kind.GroupVersion().String(); from != gv.String() {
		if fields, ok, _ := unstructured.NestedMap(u.Object, "spec"); ok {
			fields = rename(rename(fields, w.renamed[from], false), w.renamed[gv.String()], true)
			u.Object["spec"] = fields
		}
	}
	u.SetAPIVersion(gv.String())
	return u, nil
}

func rename(fields map[string]interface{}, names map[string]string, back bool) map[string]interface{} {
	out := map[string]interface{}{}
	for name, value := range fields {
		for there, elsewhere := range names {
			if !back && name == there {
				name = elsewhere
				break
			}
			if back && name == elsewhere {
				name = there
				break
			}
		}
		out[name] = value
	}
	return out
}
