package bench_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"equity/cmd/equity/bench"
)

// printing returns a program that prints a table, whose first figure grows with each run.
func printing(t *testing.T, figure int, more string) string {
	t.Helper()
	folder := t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
echo run >> %[1]s/runs
n=$(wc -l < %[1]s/runs)
cat <<END
2 cores

measured                 ours  against  unit        ratio  reach   note
writes, of any kind      $((%[2]d + n %% 2))   50.0     requests/s  2.00×  ≥ 1.5×
load                     0.500          s                          of a kind
%[3]s

The run took 1s.
END
`, folder, figure, more)
	path := filepath.Join(folder, "program")
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestComparison(t *testing.T) {
	t.Parallel()
	compare := func(ours, theirs string) (string, error) {
		var out strings.Builder
		err := bench.Compare(t.Context(), bench.Comparison{Ours: ours, Theirs: theirs, Out: &out, Log: io.Discard})
		return out.String(), err
	}
	t.Run("a comparison prints the ratio of each common row with its interval", func(t *testing.T) {
		t.Parallel()
		got, err := compare(printing(t, 200, "of ours only             1.000          s"), printing(t, 100, ""))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(got), "\n")
		if len(lines) != 3 || !strings.Contains(
			lines[1], "requests/s  1.995×  1.992× to 1.998×",
		) || !strings.Contains(lines[2], "1.000×  1.000× to 1.000×") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("a comparison inverts the ratio of figures for which less is better", func(t *testing.T) {
		t.Parallel()
		got, err := compare(
			printing(t, 100, "other                    1.000          ms"), printing(t, 100, "other                    2.000          ms"),
		)
		if err != nil || !strings.Contains(got, "ms          2.000×") {
			t.Errorf("%v\n%s", err, got)
		}
	})
	t.Run("a comparison repeats a run that fails", func(t *testing.T) {
		t.Parallel()
		program := printing(t, 100, "")
		failing := filepath.Join(t.TempDir(), "program")
		script := fmt.Sprintf("#!/bin/sh\n[ -e %[1]s.ran ] && exec %[2]s\ntouch %[1]s.ran\nexit 1\n", failing, program)
		if err := os.WriteFile(failing, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := compare(program, failing); err != nil {
			t.Error(err)
		}
	})
	t.Run("a comparison without a table fails", func(t *testing.T) {
		t.Parallel()
		if _, err := compare("/bin/true", "/bin/true"); err == nil || !strings.Contains(err.Error(), "no table") {
			t.Errorf("%v", err)
		}
	})
}
