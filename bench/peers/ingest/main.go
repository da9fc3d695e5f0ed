// Program ingest measures Go's controller-runtime on the load that the benchmark "kit" puts on our own: a server that
// replays a recorded watch of Pods as JSON. It prints one line of JSON.
//
//	ingest --server http://127.0.0.1:8001 --mode typed --events 20000
//	    time from the start until that many events have reached a handler of the cache, and the memory that stays
//	ingest --server http://127.0.0.1:8001 --measure latency --events 10000
//	    time from the moment an event was sent, which its object carries in the annotation bench.capstan.dev/sent as
//	    microseconds since 1970, until its reconcile starts
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"
)

type settings struct {
	server             string
	mode               string
	events             int
	workers            int
	stripManagedFields bool
}

func main() {
	var s settings
	flag.StringVar(&s.server, "server", "", "URL of the server that replays the watch")
	flag.StringVar(&s.mode, "mode", "typed", "typed or unstructured")
	flag.IntVar(&s.events, "events", 20_000, "how many events to wait for")
	flag.IntVar(&s.workers, "workers", 10, "reconciles at once, for --measure latency")
	flag.BoolVar(&s.stripManagedFields, "strip-managed-fields", true, "drop managedFields on the way into the cache")
	measure := flag.String("measure", "ingest", "ingest or latency")
	timeout := flag.Duration("timeout", 2*time.Minute, "give up after this long")
	flag.Parse()

	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	result, err := run(ctx, *measure, s)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ingest:", err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fmt.Fprintln(os.Stderr, "ingest:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, measure string, s settings) (any, error) {
	if s.mode != "typed" && s.mode != "unstructured" {
		return nil, fmt.Errorf("--mode %q is neither typed nor unstructured", s.mode)
	}
	switch measure {
	case "ingest":
		return measureIngest(ctx, s)
	case "latency":
		return measureLatency(ctx, s)
	default:
		return nil, fmt.Errorf("--measure %q is neither ingest nor latency", measure)
	}
}
