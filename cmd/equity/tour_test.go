package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTourOfTheReadmeRuns runs the commands of the tour as they are printed, on the demo server with the embedded grammar.
// The address, the duration of the stream, and the program that verifies are those of the test.
func TestTourOfTheReadmeRuns(t *testing.T) {
	t.Parallel()
	s := setup(t)
	server := s.serve(t, "--demo")
	script := "shopt -s expand_aliases\n" + tour(t)
	for _, change := range [][2]string{
		{"http://127.0.0.1:8080", server.url}, {"--max-time 5", "--max-time 1"}, {" && go run ./cmd/equity verify proof.jsonl", ""},
	} {
		if !strings.Contains(script, change[0]) {
			t.Fatalf("the tour lacks %q", change[0])
		}
		script = strings.ReplaceAll(script, change[0], change[1])
	}
	folder := t.TempDir()
	command := exec.CommandContext(t.Context(), "bash", "-u", "-o", "pipefail", "-c", script)
	command.Dir = folder
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	if err := command.Run(); err != nil {
		t.Fatalf("bash, curl and jq run the tour: %v\n%s%s", err, &out, &problems)
	}
	if problems.Len() > 0 {
		t.Errorf("problems: %s", &problems)
	}
	rest := out.String()
	for _, part := range []string{
		`"firstName":"Ada"`, `"outstanding"`, `"shareholdingIssued"`, `"CS-`, `"code": "`, `"sequence"`, `event: `, `"shareholding.created"`,
		"Halden Robotics\n", "Common Stock, 10,000,000 shares", "1,000,000 shares\n", "5,000,000 shares of Common Stock for Ada Lindqvist",
		"3,000,000 shares of Common Stock for Grace Hopper", `"analyzed"`, `{"authorized":"10000000","outstanding":"8000000","fullyDiluted":"9000000"}`,
		"8000000 shares outstanding, 9000000 fully diluted", "- Grace Hopper: 3000000 shares", `"executed"`, "8250000\n",
	} {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is missing in the rest of the output:\n%s\nof\n%s", part, rest, &out)
		}
		rest = after
	}
	s.run(t, "verify", filepath.Join(folder, "proof.jsonl"))
	for _, name := range []string{"certificate.pdf", "captable.xlsx", "captable.ocf.zip"} {
		if content, err := os.ReadFile(
			filepath.Join(folder, name),
		); err != nil || !bytes.HasPrefix(content, []byte("%PDF")) && !bytes.HasPrefix(content, []byte("PK")) {
			t.Errorf("%s: %.100q %v", name, content, err)
		}
	}
}

// tour returns the commands of the tour.
func tour(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(readme), "\n## A tour\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var script strings.Builder
	for i, block := range strings.Split(text, "```") {
		if commands, ok := strings.CutPrefix(block, "sh\n"); ok && i%2 == 1 {
			script.WriteString(commands)
		}
	}
	if script.Len() == 0 {
		t.Fatal("the README has no tour")
	}
	return script.String()
}
