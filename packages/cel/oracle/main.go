// The oracle answers, for a list of cases, what Kubernetes itself makes of a rule: compile errors, results, costs.
// Its answers are recorded in ../src/fixtures/oracle.json; the tests need no Go.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
)

type testCase struct {
	Group           string          `json:"group,omitempty"`
	Rule            string          `json:"rule"`
	Schema          json.RawMessage `json:"schema,omitempty"`
	Root            bool            `json:"root,omitempty"`
	OptionalOldSelf bool            `json:"optionalOldSelf,omitempty"`
	Self            json.RawMessage `json:"self,omitempty"`
	OldSelf         json.RawMessage `json:"oldSelf,omitempty"`
}

type input struct {
	Schema json.RawMessage `json:"schema"`
	Self   json.RawMessage `json:"self"`
	Cases  []testCase      `json:"cases"`
}

type answer struct {
	Rule           string `json:"rule"`
	CompileError   string `json:"compileError,omitempty"`
	EstimatedCost  uint64 `json:"estimatedCost,omitempty"`
	MaxCardinality uint64 `json:"maxCardinality,omitempty"`
	UsesOldSelf    bool   `json:"usesOldSelf,omitempty"`
	Result         *bool  `json:"result,omitempty"`
	Error          string `json:"error,omitempty"`
	Cost           uint64 `json:"cost,omitempty"`
}

var selfName = regexp.MustCompile(`selfType\d+`)

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	// One answer a line, so that a new version of Kubernetes shows as a readable difference.
	for i, c := range in.Cases {
		fmt.Print(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
		var line bytes.Buffer
		out := json.NewEncoder(&line)
		out.SetEscapeHTML(false)
		check(out.Encode(ask(in, c)))
		fmt.Print(strings.TrimSpace(line.String()))
	}
	fmt.Println("\n]")
}

func ask(in input, c testCase) answer {
	a := answer{Rule: c.Rule}
	schemaJSON := in.Schema
	if c.Schema != nil {
		schemaJSON = c.Schema
	}
	selfJSON := in.Self
	if c.Self != nil {
		selfJSON = c.Self
	}
	var v1 apiextensionsv1.JSONSchemaProps
	check(json.Unmarshal(schemaJSON, &v1))
	var internal apiextensions.JSONSchemaProps
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil))
	s, err := schema.NewStructural(&internal)
	check(err)
	optional := c.OptionalOldSelf
	rule := apiextensionsv1.ValidationRule{Rule: c.Rule}
	if optional {
		rule.OptionalOldSelf = &optional
	}
	s.XValidations = apiextensionsv1.ValidationRules{rule}
	results, err := schemacel.Compile(s, model.SchemaDeclType(s, c.Root), celconfig.PerCallLimit,
		environment.MustBaseEnvSet(version.MajorMinor(1, 37)), schemacel.NewExpressionsEnvLoader())
	check(err)
	r := results[0]
	if r.Error != nil {
		a.CompileError = selfName.ReplaceAllString(r.Error.Detail, "selfType")
		return a
	}
	a.EstimatedCost, a.MaxCardinality, a.UsesOldSelf = r.MaxCost, r.MaxCardinality, r.UsesOldSelf
	if r.Program == nil {
		return a
	}
	if c.Root {
		s = model.WithTypeAndObjectMeta(s)
	}
	vars := map[string]any{"self": value(selfJSON, s)}
	switch {
	case c.OldSelf != nil && optional:
		vars["oldSelf"] = types.OptionalOf(value(c.OldSelf, s))
	case c.OldSelf != nil:
		vars["oldSelf"] = value(c.OldSelf, s)
	case optional:
		vars["oldSelf"] = types.OptionalNone
	}
	evaluate(r.Program, vars, &a)
	return a
}

func value(raw json.RawMessage, s *schema.Structural) ref.Val {
	var data any
	check(utiljson.Unmarshal(raw, &data))
	return common.UnstructuredToVal(data, &model.Structural{Structural: s})
}

func evaluate(program cel.Program, vars map[string]any, a *answer) {
	out, details, err := program.Eval(vars)
	if details != nil && details.ActualCost() != nil {
		a.Cost = *details.ActualCost()
	}
	if err != nil {
		a.Error = err.Error()
		return
	}
	if b, ok := out.Value().(bool); ok {
		a.Result = &b
		return
	}
	a.Error = fmt.Sprintf("unexpected result %v", out)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
