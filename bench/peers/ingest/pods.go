package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var podKind = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// newPod is an empty Pod of the kind that the mode asks for.
func newPod(mode string) client.Object {
	if mode == "typed" {
		return &corev1.Pod{}
	}
	pod := &unstructured.Unstructured{}
	pod.SetGroupVersionKind(podKind)
	return pod
}

// restConfig asks for JSON, without which controller-runtime takes protobuf for Pods, and does not limit itself.
func restConfig(s settings) *rest.Config {
	return &rest.Config{Host: s.server, ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}, QPS: -1}
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	return scheme, corev1.AddToScheme(scheme)
}

// restMapper knows Pods only, so that the server needs no discovery.
func restMapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{podKind.GroupVersion()})
	mapper.Add(podKind, meta.RESTScopeNamespace)
	return mapper
}

func cacheOptions(s settings) cache.Options {
	options := cache.Options{}
	if s.stripManagedFields {
		options.DefaultTransform = cache.TransformStripManagedFields()
	}
	return options
}
