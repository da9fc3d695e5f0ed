package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

type ingestResult struct {
	Measure         string  `json:"measure"`
	Mode            string  `json:"mode"`
	Events          int     `json:"events"`
	Milliseconds    float64 `json:"milliseconds"`
	EventsPerSecond float64 `json:"eventsPerSecond"`
	// Objects are those in the cache at the end.
	Objects int `json:"objects"`
	// RSSBytes is the resident memory after a collection that gave back what it could.
	RSSBytes uint64 `json:"rssBytes"`
	Go       string `json:"go"`
}

func measureIngest(ctx context.Context, s settings) (*ingestResult, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	options := cacheOptions(s)
	options.Scheme = scheme
	options.Mapper = restMapper()
	pods, err := cache.New(restConfig(s), options)
	if err != nil {
		return nil, err
	}
	informer, err := pods.GetInformer(ctx, newPod(s.mode), cache.BlockUntilSynced(false))
	if err != nil {
		return nil, err
	}
	counter := newCounter(s.events)
	if _, err := informer.AddEventHandler(counter); err != nil {
		return nil, err
	}

	start := time.Now()
	go func() { _ = pods.Start(ctx) }()
	select {
	case <-counter.done:
	case <-ctx.Done():
		return nil, fmt.Errorf("saw %d of %d events in time", counter.seen, s.events)
	}
	elapsed := time.Since(start)

	runtime.GC()
	debug.FreeOSMemory()
	rss, err := residentMemory()
	if err != nil {
		return nil, err
	}
	objects := len(informer.(toolscache.SharedIndexInformer).GetStore().ListKeys())
	return &ingestResult{
		Measure:         "ingest",
		Mode:            s.mode,
		Events:          s.events,
		Milliseconds:    float64(elapsed.Microseconds()) / 1000,
		EventsPerSecond: float64(s.events) / elapsed.Seconds(),
		Objects:         objects,
		RSSBytes:        rss,
		Go:              runtime.Version(),
	}, nil
}

// counter is an event handler that says when it was called often enough.
type counter struct {
	wanted int
	seen   int
	once   sync.Once
	done   chan struct{}
}

func newCounter(wanted int) *counter { return &counter{wanted: wanted, done: make(chan struct{})} }

// count is called by one goroutine only: an informer delivers to a handler one event after the other.
func (c *counter) count() {
	c.seen++
	if c.seen >= c.wanted {
		c.once.Do(func() { close(c.done) })
	}
}

func (c *counter) OnAdd(any, bool)   { c.count() }
func (c *counter) OnUpdate(any, any) { c.count() }
func (c *counter) OnDelete(any)      { c.count() }
