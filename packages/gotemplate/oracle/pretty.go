package main

import (
	"bytes"
	"sort"
	"strings"

	goYaml "go.yaml.in/yaml/v3"
)

// toYamlPretty is what Helm's function of that name does: go-yaml v3 with an indent of two.
func toYamlPretty(v any) string {
	var data bytes.Buffer
	encoder := goYaml.NewEncoder(&data)
	encoder.SetIndent(2)
	if err := encoder.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(data.String(), "\n")
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
