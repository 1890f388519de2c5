package processtest_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lineOfRoom is a line of a list of rooms, or the import of a room's package.
var lineOfRoom = regexp.MustCompile(`(?m)^\t(\t\w+\.(Room|Provider)\(\),|"equity/features/.*")\n`)

// TestCoreNeedsNoRoom removes the rooms from a copy of the source, with their lines in the lists. The rest compiles, has its own
// contract, and plays the story with each of its operations.
func TestCoreNeedsNoRoom(t *testing.T) {
	t.Parallel()
	root := copyWithoutRooms(t)
	for _, list := range []string{"cmd/equity/features.go", "http/rooms_test.go", "cmd/providers/rooms.go"} {
		path := filepath.Join(root, filepath.FromSlash(list))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, lineOfRoom.ReplaceAll(text, nil), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const story = "TestEveryOperationAnswers"
	var out string
	for _, arguments := range []string{
		"generate ./http", "build ./...", "vet ./http ./cmd/equity", "test -vet=off -v -run ^" + story + "$ ./http",
	} {
		command := exec.CommandContext(t.Context(), "go", strings.Fields(arguments)...)
		command.Dir = root
		command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath") // compiled packages do not depend on the folder
		text, err := command.CombinedOutput()
		if out = string(text); err != nil {
			t.Fatalf("go %s: %v\n%s", arguments, err, out)
		}
	}
	if !strings.Contains(out, "--- PASS: "+story) {
		t.Errorf("the story was not played: %s", out)
	}
}

// copyWithoutRooms copies the source without rooms and without what is not source, and returns the folder.
func copyWithoutRooms(t *testing.T) string {
	t.Helper()
	from, to := filepath.Join("..", "..", ".."), t.TempDir()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if slices.Contains([]string{"features", ".git", "bin", "data", "dist", filepath.Join("web", "node_modules")}, below) {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil // the file of a worktree, or a link
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, below), 0o700)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, below), content, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
