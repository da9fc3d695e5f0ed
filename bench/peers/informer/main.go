// Program informer follows one resource with client-go's shared informer, WatchList on, and tells on demand what its store
// holds, so that a test can compare it with a list of the API server after restarts, expiry and compaction.
//
// A line {"ready":true,"watchList":true} says that the store is filled, and whether that was done by a watch. It reads commands from standard input, one a line, and answers each by one line of JSON on standard output:
//
//	state   the store and the version that the informer has reached
//	events  how often the handlers were called
//	quit    ends the program, as the end of input does
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "informer:", err)
		os.Exit(1)
	}
}

// counts says how often each handler was called. A relist that finds nothing new calls update once for each object, which
// is why a test compares stores and takes these numbers as a hint only.
type counts struct {
	Added   atomic.Int64
	Updated atomic.Int64
	Deleted atomic.Int64
	Errors  atomic.Int64
}

func run() error {
	kubeconfig := flag.String("kubeconfig", "", "path of a kubeconfig")
	resource := flag.String("resource", "configmaps.v1.", "resource.version.group, as in deployments.v1.apps; the core group is empty")
	namespace := flag.String("namespace", "", "a namespace, or all")
	syncTimeout := flag.Duration("sync-timeout", 60*time.Second, "how long the first synchronisation may take")
	flag.Parse()

	parsed, _ := schema.ParseResourceArg(*resource)
	if parsed == nil {
		return fmt.Errorf("-resource %q is not resource.version.group", *resource)
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, *namespace, nil)
	informer := factory.ForResource(*parsed).Informer()
	counted := &counts{}
	if err := count(informer, counted); err != nil {
		return err
	}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	factory.Start(ctx.Done())
	if err := waitForSync(ctx, informer, *syncTimeout); err != nil {
		return err
	}
	fmt.Printf("{\"ready\":true,\"watchList\":%t}\n", features.FeatureGates().Enabled(features.WatchListClient))
	return answerCommands(informer, counted)
}

func count(informer cache.SharedIndexInformer, counted *counts) error {
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { counted.Added.Add(1) },
		UpdateFunc: func(any, any) { counted.Updated.Add(1) },
		DeleteFunc: func(any) { counted.Deleted.Add(1) },
	})
	if err != nil {
		return err
	}
	return informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) {
		counted.Errors.Add(1)
		fmt.Fprintln(os.Stderr, "informer: watch:", err)
	})
}

func waitForSync(ctx context.Context, informer cache.SharedIndexInformer, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return errors.New("the store did not synchronise in time")
	}
	return nil
}

func answerCommands(informer cache.SharedIndexInformer, counted *counts) error {
	commands := bufio.NewScanner(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for commands.Scan() {
		switch command := commands.Text(); command {
		case "state":
			state, err := stateOf(informer)
			if err != nil {
				return err
			}
			if err := answers.Encode(state); err != nil {
				return err
			}
		case "events":
			err := answers.Encode(map[string]int64{
				"added":   counted.Added.Load(),
				"updated": counted.Updated.Load(),
				"deleted": counted.Deleted.Load(),
				"errors":  counted.Errors.Load(),
			})
			if err != nil {
				return err
			}
		case "quit":
			return nil
		default:
			return fmt.Errorf("there is no command %q", command)
		}
	}
	return commands.Err()
}

// State is the answer to "state".
type State struct {
	ResourceVersion string          `json:"resourceVersion"`
	Objects         []ObjectSummary `json:"objects"`
}

func stateOf(informer cache.SharedIndexInformer) (State, error) {
	items := informer.GetStore().List()
	objects := make([]ObjectSummary, 0, len(items))
	for _, item := range items {
		summary, err := summarise(item.(*unstructured.Unstructured))
		if err != nil {
			return State{}, err
		}
		objects = append(objects, summary)
	}
	sortSummaries(objects)
	return State{ResourceVersion: informer.LastSyncResourceVersion(), Objects: objects}, nil
}
