// Command oracle answers the cases in cases/*.yaml with Go itself: text/template, sprig, fmt and sigs.k8s.io/yaml.
//
// Each suite is a list of inputs of our own; the answers are written beside them as JSON fixtures, so that the
// TypeScript tests compare with Go on machines that have no Go.
//
//	cd packages/gotemplate/oracle && TZ=UTC go run . cases ../fixtures
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
	"unicode/utf8"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
)

// suite is one file of cases. Kind says which part of Go answers.
type suite struct {
	Kind   string  `json:"kind"` // template | yaml
	Groups []group `json:"groups"`
}

// group is a list of cases on the same data.
type group struct {
	Data       any        `json:"data,omitempty"`
	Host       bool       `json:"host,omitempty"` // run on the typed host value instead of data
	MissingKey string     `json:"missingKey,omitempty"`
	Lines      string     `json:"lines,omitempty"` // one template a line; moved into Cases
	Split      bool       `json:"split,omitempty"` // each action of a line is a case of its own, unless the line has variables
	Cases      []testCase `json:"cases"`
}

type testCase struct {
	Template   string            `json:"template,omitempty"`
	Associated map[string]string `json:"associated,omitempty"` // further named templates, parsed first, in order of name
	Left       string            `json:"left,omitempty"`
	Right      string            `json:"right,omitempty"`
	Yaml       *string           `json:"yaml,omitempty"` // input of a yaml suite

	Output       *string `json:"output,omitempty"`
	OutputBase64 []byte  `json:"outputBase64,omitempty"` // instead of output where it is not valid UTF-8
	Error        *string `json:"error,omitempty"`
	JSON         *string `json:"json,omitempty"`      // yaml suites: the value as JSON
	Remarshal    *string `json:"remarshal,omitempty"` // yaml suites: the value as YAML again
	Pretty       *string `json:"pretty,omitempty"`    // yaml suites: as Helm's toYamlPretty
}

// UnmarshalJSON lets a case be only its template, or in a yaml suite only its text.
func (c *testCase) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &c.Template); err != nil {
			return err
		}
		c.Yaml = &c.Template
		return nil
	}
	type plain testCase
	return json.Unmarshal(b, (*plain)(c))
}

func main() {
	if os.Args[1] == "bench" {
		bench(os.Args[2], os.Args[3], os.Args[4])
		return
	}
	inDir, outDir := os.Args[1], os.Args[2]
	files, err := filepath.Glob(filepath.Join(inDir, "*.yaml"))
	check(err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		check(err)
		var s suite
		check(yaml.UnmarshalStrict(raw, &s))
		count := 0
		for i := range s.Groups {
			answerGroup(s.Kind, &s.Groups[i])
			count += len(s.Groups[i].Cases)
		}
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", " ")
		check(encoder.Encode(s))
		name := strings.TrimSuffix(filepath.Base(file), ".yaml") + ".json"
		check(os.WriteFile(filepath.Join(outDir, name), out.Bytes(), 0o644))
		fmt.Printf("%s: %d cases\n", name, count)
	}
}

func answerGroup(kind string, g *group) {
	for _, line := range strings.Split(g.Lines, "\n") {
		if line == "" {
			continue
		}
		texts := []string{line}
		if g.Split && !strings.Contains(line, ":=") {
			texts = strings.Split(strings.ReplaceAll(line, "}} {{", "}}\x00{{"), "\x00")
		}
		for _, text := range texts {
			g.Cases = append(g.Cases, testCase{Template: text, Yaml: &text})
		}
	}
	g.Lines, g.Split = "", false
	for i := range g.Cases {
		c := &g.Cases[i]
		defer maskAddresses(c)
		if kind == "yaml" {
			c.Template = ""
			answerYaml(c)
		} else {
			c.Yaml = nil
			answerTemplate(g, c)
		}
	}
}

func answerTemplate(g *group, c *testCase) {
	defer func() {
		if r := recover(); r != nil {
			setError(c, fmt.Errorf("panic: %v", r))
		}
	}()
	root := template.New("test").Funcs(functions()).Delims(c.Left, c.Right)
	if g.MissingKey != "" {
		root.Option("missingkey=" + g.MissingKey)
	}
	for _, name := range sortedKeys(c.Associated) {
		if _, err := root.New(name).Parse(c.Associated[name]); err != nil {
			setError(c, err)
			return
		}
	}
	if _, err := root.Parse(c.Template); err != nil {
		setError(c, err)
		return
	}
	data := clone(g.Data)
	if g.Host {
		data = host()
	}
	var out bytes.Buffer
	if err := root.Execute(&out, data); err != nil {
		setError(c, err)
		return
	}
	if !utf8.Valid(out.Bytes()) {
		c.OutputBase64 = out.Bytes()
		return
	}
	text := out.String()
	c.Output = &text
}

// functions is sprig with the YAML functions Helm adds (their bodies as Helm has them).
func functions() template.FuncMap {
	funcs := sprig.TxtFuncMap()
	funcs["toYaml"] = func(v any) string {
		data, err := yaml.Marshal(v)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(data), "\n")
	}
	funcs["fromYaml"] = func(text string) map[string]any {
		m := map[string]any{}
		if err := yaml.Unmarshal([]byte(text), &m); err != nil {
			m["Error"] = err.Error()
		}
		return m
	}
	funcs["fromYamlArray"] = func(text string) []any {
		a := []any{}
		if err := yaml.Unmarshal([]byte(text), &a); err != nil {
			a = []any{err.Error()}
		}
		return a
	}
	return funcs
}

func answerYaml(c *testCase) {
	var value any
	if err := yaml.Unmarshal([]byte(*c.Yaml), &value); err != nil {
		setError(c, err)
		return
	}
	encoded, err := json.Marshal(value)
	check(err)
	text := string(encoded)
	c.JSON = &text
	if again, err := yaml.Marshal(value); err == nil { // some control characters can be read but not written
		remarshal := string(again)
		c.Remarshal = &remarshal
	}
	pretty := toYamlPretty(value)
	c.Pretty = &pretty
}

var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// maskAddresses keeps the fixtures the same from run to run; the tests mask theirs too.
func maskAddresses(c *testCase) {
	for _, text := range []*string{c.Output, c.Error} {
		if text != nil {
			*text = address.ReplaceAllString(*text, "0xADDRESS")
		}
	}
}

func clone(v any) any {
	encoded, err := json.Marshal(v)
	check(err)
	var out any
	check(json.Unmarshal(encoded, &out))
	return out
}

func setError(c *testCase, err error) {
	text := err.Error()
	c.Error = &text
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
