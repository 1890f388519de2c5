package processtest_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// TestKilledServerReleasesItsFile starts a second server on the file of the first, while the first runs and after it was
// killed.
func TestKilledServerReleasesItsFile(t *testing.T) {
	t.Parallel()
	settings := processtest.Settings{
		"DATABASE_URL": storetest.SQLite(t), "DATA_DIRECTORY": t.TempDir(), "ENVIRONMENT": "test", "LOG_LEVEL": "info",
	}
	first := processtest.Start(t, settings)
	out, err := processtest.Run(t, settings.With("LISTEN", "127.0.0.1:0").With("METRICS_LISTEN", "127.0.0.1:0"), "serve")
	status, is := errors.AsType[*exec.ExitError](err)
	if !is || status.ExitCode() != 1 || !strings.Contains(out, "another equity process uses this SQLite file") {
		t.Fatalf("a second server beside the first: %v\n%s", err, out)
	}
	first.Kill()
	processtest.Start(t, settings)
}
