package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// contents returns the paths of the stored contents of an organization.
func (s *shell) contents(t *testing.T, id string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.variables["DATA_DIRECTORY"], "files", "o", id, "*", "*"))
	if err != nil || len(found) < 3 {
		t.Fatalf("%d contents: %v", len(found), err)
	}
	return found
}

func TestMissingAndAlteredContentsAreFound(t *testing.T) {
	t.Parallel()
	s := setup(t)
	id := s.demoID(t)
	mustContain(t, s.run(t, "verify", "--content"), "the bytes of 6 contents were checked", "0 with faults")
	files := s.contents(t, id)
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[1], []byte("altered"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustContain(t, s.refused(t, statusFailed, "verify", "--content"), "its bytes are missing", "its bytes were altered: 7 bytes", errNotWell.Error())
	mustContain(t, s.run(t, "verify"), "0 with faults") // the journal is well
}

func TestStoredCertificatesAreNotContents(t *testing.T) {
	t.Parallel()
	s := setup(t)
	folder := filepath.Join(s.variables["DATA_DIRECTORY"], "files", "c", s.demoID(t), "shareholding")
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, "version"), []byte("damaged"), 0o600)); err != nil {
		t.Fatal(err)
	}
	mustContain(t, s.run(t, "verify", "--content"), "the bytes of 6 contents were checked", "0 with faults")
}

func TestProofNamesTheFilingOfADocument(t *testing.T) {
	t.Parallel()
	s := setup(t)
	id := s.demoID(t)
	paper := s.contents(t, id)[0]
	proof := s.file(t, "proof.jsonl", s.run(t, "export", id, "--format", "proof"))
	mustContain(t, s.run(t, "verify", "--document", paper, proof), "is valid", "these bytes entered Northwind Instruments, Inc. with event")
	other := s.file(t, "other.pdf", "other bytes")
	mustContain(t, s.refused(t, statusFailed, "verify", "--document", other, proof), errNoDocument.Error())
	mustContain(t, s.refused(t, statusFailed, "verify", "--document", paper), errNeedsProof.Error())
}
