package main

import (
	"encoding/json"
	"os"
	"sort"
	"strconv"
	"strings"
	"text/template"
	"time"

	"sigs.k8s.io/yaml"
)

// bench times what the benchmark of the TypeScript engine times, on the same files: the medians of one operation in milliseconds.
func bench(templateFile, valuesFile, rounds string) {
	text, err := os.ReadFile(templateFile)
	check(err)
	raw, err := os.ReadFile(valuesFile)
	check(err)
	count, err := strconv.Atoi(rounds)
	check(err)
	values := func() any {
		var data any
		check(json.Unmarshal(raw, &data))
		return data
	}
	funcs := functions()
	parsed := template.Must(template.New("bench").Funcs(funcs).Parse(string(text)))
	render := func(data any) string {
		var out strings.Builder
		check(parsed.Execute(&out, data))
		return out.String()
	}
	document, err := yaml.Marshal(values())
	check(err)
	data := values()
	figures := map[string]any{
		"parse": median(count, func() { template.Must(template.New("bench").Funcs(funcs).Parse(string(text))) }),
		// The template merges into its data, so every round gets its own, as on the other side.
		"render":    median(count, func() { render(values()) }),
		"readYaml":  median(count, func() { var v any; check(yaml.Unmarshal(document, &v)) }),
		"writeYaml": median(count, func() { _, err := yaml.Marshal(data); check(err) }),
		"output":    render(values()),
	}
	check(json.NewEncoder(os.Stdout).Encode(figures))
}

func median(rounds int, operation func()) float64 {
	times := make([]float64, rounds)
	for i := range times {
		start := time.Now()
		operation()
		times[i] = float64(time.Since(start).Nanoseconds()) / 1e6
	}
	sort.Float64s(times)
	return times[rounds/2]
}
