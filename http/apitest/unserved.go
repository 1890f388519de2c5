package apitest

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"equity/http/api"
)

// Unserved returns handlers for the operations of all rooms, for a server without rooms whose contract has them. They find nothing.
func Unserved(tb testing.TB) map[string]api.Handler {
	tb.Helper()
	handlers := map[string]api.Handler{}
	for _, id := range inContracts(tb, `operationId: (\w+)`) {
		handlers[id] = func(context.Context, *api.Call) (api.Answer, error) { return api.Answer{}, api.NotFound() }
	}
	return handlers
}

// SwitchOff adds the switches of all rooms that are missing, as off.
func SwitchOff(tb testing.TB, switches map[string]bool) map[string]bool {
	tb.Helper()
	for _, name := range inContracts(tb, `x-feature: (\w+)`) {
		if _, known := switches[name]; !known {
			switches[name] = false
		}
	}
	return switches
}

// inContracts returns the first group of each match in the contracts of all rooms.
func inContracts(tb testing.TB, pattern string) (found []string) {
	tb.Helper()
	root, err := os.Getwd()
	for err == nil && root != "/" {
		if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil {
			break
		}
		root = filepath.Dir(root)
	}
	contracts, globbed := filepath.Glob(filepath.Join(root, "features", "*", "contract.yaml"))
	if err != nil || globbed != nil {
		tb.Fatal(err, globbed)
	}
	for _, contract := range contracts {
		text, err := os.ReadFile(contract)
		if err != nil {
			tb.Fatal(err)
		}
		for _, match := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
			found = append(found, string(match[1]))
		}
	}
	return found
}
