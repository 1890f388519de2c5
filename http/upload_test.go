package http_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"equity/http/member"
)

// TestLargeUploadLeavesNoFile imports a file that does not stay in memory.
func TestLargeUploadLeavesNoFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	owner, path := limited(t, member.ImportSettings{Directory: folder})
	var rows strings.Builder
	rows.WriteString("fullName,title\n")
	for i := range 400 {
		rows.WriteString("Holder " + strconv.Itoa(i) + "," + strings.Repeat("x", 900) + "\n")
	}
	owner.Must(t, "POST", path+"?kind=members&dryRun=true", rows.String(), http.StatusOK, "Content-Type", "text/csv")
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestUploadWithoutItsFolderFails proves that a large upload is written to the folder, and not kept in memory.
func TestUploadWithoutItsFolderFails(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "absent")
	owner, path := limited(t, member.ImportSettings{Directory: folder})
	large := "fullName\n" + strings.Repeat("Ada Lovelace\n", 100_000)
	got := owner.Send(t, "POST", path+"?kind=members", large, "Content-Type", "text/csv")
	if _, err := os.Stat(folder); got.Status < http.StatusBadRequest || err == nil {
		t.Errorf("%d %.300s", got.Status, got.Body)
	}
}
