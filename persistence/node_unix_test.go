//go:build unix

package persistence_test

import (
	"errors"
	"net/url"
	"syscall"
	"testing"

	"equity/messages"
	"equity/persistence/storetest"
)

// TestServerRecognizesItsFormerConnection cuts the connection of a server while PostgreSQL cannot notice it: the process that serves it is paused.
func TestServerRecognizesItsFormerConnection(t *testing.T) {
	t.Parallel()
	address := storetest.PostgreSQL(t)
	db := storetest.Open(t, address)
	parsed, err := url.Parse(address)
	must(t, err)
	proxy := storetest.NewProxy(t, parsed.Host)
	parsed.Host = proxy.Address()
	nodes := nodeStore(t, storetest.Open(t, parsed.String()))
	must(t, nodes.Admit(t.Context(), soleNode))
	beats(t, nodes, soleNode)
	var serving int
	must(t, db.Reader().QueryRowContext(t.Context(), `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'
		AND ((classid::BIGINT << 32) | objid::BIGINT) = hashtextextended('equity alone ' || current_schema(), 0)`).Scan(&serving))
	must(t, syscall.Kill(serving, syscall.SIGSTOP))
	t.Cleanup(func() { _ = syscall.Kill(serving, syscall.SIGCONT) })
	proxy.Cut()
	for range 2 { // the first heartbeat finds the end of its connection
		if _, err := nodes.Beat(t.Context(), soleNode); err == nil || errors.Is(err, messages.ErrRemoved) {
			t.Errorf("a heartbeat while the former connection has the lock: %v", err)
		}
	}
	must(t, syscall.Kill(serving, syscall.SIGCONT))
	beats(t, nodes, soleNode)
}
