package processtest_test

import (
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// TestKilledServerReleasesItsFile starts a second server on the file of the first, while the first runs and after it was
// killed. The first one also shows that a server without CLUSTER_ADDRESS has only its two ports.
func TestKilledServerReleasesItsFile(t *testing.T) {
	t.Parallel()
	settings := processtest.Settings{
		"DATABASE_URL": storetest.SQLite(t), "DATA_DIRECTORY": t.TempDir(), "ENVIRONMENT": "test", "LOG_LEVEL": "info",
	}
	first := processtest.Start(t, settings)
	if ports := first.Ports(t); runtime.GOOS == "linux" && ports != 2 {
		t.Errorf("a server of its own listens on %d ports; want LISTEN and METRICS_LISTEN", ports)
	}
	out, err := processtest.Run(t, settings.With("LISTEN", "127.0.0.1:0").With("METRICS_LISTEN", "127.0.0.1:0"), "serve")
	status, is := errors.AsType[*exec.ExitError](err)
	if !is || status.ExitCode() != 1 || !strings.Contains(out, "another equity process uses this SQLite file") {
		t.Fatalf("a second server beside the first: %v\n%s", err, out)
	}
	first.Kill()
	processtest.Start(t, settings)
}

// TestSecondServerOnADatabaseIsRefused starts a second server on the database of the first: while the first runs, after it was killed, and
// after an orderly stop.
func TestSecondServerOnADatabaseIsRefused(t *testing.T) {
	t.Parallel()
	settings := processtest.Services(t)
	first := processtest.Start(t, settings)
	out, err := processtest.Run(t, settings.With("LISTEN", "127.0.0.1:0").With("METRICS_LISTEN", "127.0.0.1:0"), "serve")
	status, is := errors.AsType[*exec.ExitError](err)
	if !is || status.ExitCode() != 1 || !strings.Contains(
		out, "another server uses this database (process ",
	) || !strings.Contains(out, "CLUSTER_ADDRESS") {
		t.Fatalf("a second server beside the first: %v\n%s", err, out)
	}
	if out, err := processtest.Run(t, settings, "verify"); err != nil {
		t.Errorf("verify beside a server: %v\n%s", err, out)
	}
	first.Kill()
	second := processtest.Start(t, settings)
	if err := second.Stop(t, 30*time.Second); err != nil {
		t.Errorf("stop: %v", err)
	}
	processtest.Start(t, settings)
}

// TestPausedServerThatWasReplacedStops pauses a server until another one has taken over its expired lease.
func TestPausedServerThatWasReplacedStops(t *testing.T) {
	t.Parallel()
	settings := processtest.Services(t)
	first := processtest.Start(t, settings)
	first.Pause(t)
	processtest.Start(t, settings)
	first.Continue(t)
	if err := first.Ended(t, 30*time.Second); err == nil {
		t.Error("a replaced server ended without an error")
	}
}
