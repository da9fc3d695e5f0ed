package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ObjectSummary is enough of an object to see whether two stores hold the same.
type ObjectSummary struct {
	Namespace       string `json:"namespace,omitempty"`
	Name            string `json:"name"`
	ResourceVersion string `json:"resourceVersion"`
	// Hash is the SHA-256 of the object as JSON with sorted keys, without spaces, apiVersion and kind: a list leaves those
	// two out of its items.
	Hash string `json:"hash"`
}

func summarise(object *unstructured.Unstructured) (ObjectSummary, error) {
	content := make(map[string]any, len(object.Object))
	for key, value := range object.Object {
		if key != "apiVersion" && key != "kind" {
			content[key] = value
		}
	}
	// encoding/json sorts the keys of maps. Without the escapes for HTML the text is what JavaScript would write.
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(content); err != nil {
		return ObjectSummary{}, err
	}
	sum := sha256.Sum256(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	return ObjectSummary{
		Namespace:       object.GetNamespace(),
		Name:            object.GetName(),
		ResourceVersion: object.GetResourceVersion(),
		Hash:            hex.EncodeToString(sum[:8]),
	}, nil
}

func sortSummaries(objects []ObjectSummary) {
	slices.SortFunc(objects, func(a, b ObjectSummary) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}
