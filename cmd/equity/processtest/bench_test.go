package processtest_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"equity/cmd/equity/processtest"
)

// TestBench runs the whole bench, too briefly for meaningful figures.
func TestBench(t *testing.T) {
	t.Parallel()
	for _, services := range []bool{false, true} {
		name, database, arguments := "with the embedded stores", "SQLite ", []string{"bench", "--rounds=1", "--seconds=0.2", "--events=2000", "--organizations=2000"}
		if services {
			settings := processtest.Services(t)
			name, database = "with PostgreSQL and Redis", "PostgreSQL "
			arguments = append(arguments, "--database-url", settings["DATABASE_URL"], "--redis-url", settings["REDIS_URL"])
		}
		t.Run("the bench measures everything "+name, func(t *testing.T) {
			t.Parallel()
			var table, log bytes.Buffer
			command := exec.CommandContext(t.Context(), processtest.PlainProgram(t), arguments...)
			command.Dir, command.Stdout, command.Stderr = t.TempDir(), &table, &log
			if err := command.Run(); err != nil {
				t.Fatalf("%v\n%s%s", err, &table, &log)
			}
			for _, part := range []string{
				" cores, go1.", database, "1 callers, 1 organizations", "16 callers, 1 organizations", "256 callers, 1 organizations",
				"256 callers, 64 organizations", "cap table of 1000 holders", "cap table, not modified", "revival from the journal alone, 2000 events",
				"revival with a snapshot", "per shareholding", "per idle organization", "The load client used",
				"durable hooks that request runs", "tools over MCP", "overhead of a call within a message",
			} {
				if !strings.Contains(table.String(), part) {
					t.Errorf("%q is missing in\n%s", part, &table)
				}
			}
			if complaints := unexpected(log.String()); complaints != "" {
				t.Errorf("the measured process complains:\n%.4000s", complaints)
			}
		})
	}
}

// unexpected removes the refusals of overload. The bench requests more than the server can answer, and on a busy machine even more sign-ins
// and writes wait too long.
func unexpected(log string) string {
	var rest strings.Builder
	for line := range strings.Lines(log) {
		if !strings.Contains(line, "operation=login status=503") && !strings.Contains(line, "operation=issueShareholding status=503") {
			rest.WriteString(line)
		}
	}
	return rest.String()
}
