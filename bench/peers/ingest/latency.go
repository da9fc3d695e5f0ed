package main

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const sentAnnotation = "bench.capstan.dev/sent"

type latencyResult struct {
	Measure string  `json:"measure"`
	Mode    string  `json:"mode"`
	Events  int     `json:"events"`
	P50     float64 `json:"p50Milliseconds"`
	P99     float64 `json:"p99Milliseconds"`
	Max     float64 `json:"maxMilliseconds"`
	Go      string  `json:"go"`
}

func measureLatency(ctx context.Context, s settings) (*latencyResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	log.SetLogger(klog.Background())
	manager, err := newManager(s)
	if err != nil {
		return nil, err
	}
	recorder := &recorder{reader: manager.GetCache(), mode: s.mode, wanted: s.events, done: make(chan struct{})}
	err = ctrl.NewControllerManagedBy(manager).
		For(newPod(s.mode)).
		WithOptions(controller.Options{MaxConcurrentReconciles: s.workers}).
		Complete(recorder)
	if err != nil {
		return nil, err
	}
	failed := make(chan error, 1)
	go func() { failed <- manager.Start(ctx) }()
	select {
	case <-recorder.done:
	case err := <-failed:
		return nil, fmt.Errorf("saw %d of %d events: %w", recorder.count(), s.events, err)
	}
	delays := recorder.sorted()
	return &latencyResult{
		Measure: "latency",
		Mode:    s.mode,
		Events:  len(delays),
		P50:     delays[len(delays)*50/100],
		P99:     delays[len(delays)*99/100],
		Max:     delays[len(delays)-1],
		Go:      runtime.Version(),
	}, nil
}

func newManager(s settings) (ctrl.Manager, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	return ctrl.NewManager(restConfig(s), ctrl.Options{
		Scheme:                 scheme,
		MapperProvider:         func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return restMapper(), nil },
		Cache:                  cacheOptions(s),
		Metrics:                server.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
	})
}

// recorder is a reconciler that notes how long ago the event that woke it was sent. Objects without a note of that, such as
// those of the first list, do not count.
type recorder struct {
	reader client.Reader
	mode   string
	wanted int
	done   chan struct{}

	mutex  sync.Mutex
	delays []float64
}

func (r *recorder) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	now := time.Now()
	pod := newPod(r.mode)
	if err := r.reader.Get(ctx, request.NamespacedName, pod); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	sent, err := strconv.ParseInt(pod.GetAnnotations()[sentAnnotation], 10, 64)
	if err != nil {
		return reconcile.Result{}, nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.delays) < r.wanted {
		r.delays = append(r.delays, float64(now.UnixMicro()-sent)/1000)
		if len(r.delays) == r.wanted {
			close(r.done)
		}
	}
	return reconcile.Result{}, nil
}

func (r *recorder) count() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return len(r.delays)
}

func (r *recorder) sorted() []float64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Sorted(slices.Values(r.delays))
}
