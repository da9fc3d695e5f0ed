package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// residentMemory is VmRSS of this process, as Linux counts it.
func residentMemory() (uint64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			kibibytes, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			return kibibytes * 1024, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no VmRSS")
}
