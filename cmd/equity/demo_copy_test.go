package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// storedFile is a file or a folder below a data folder.
type storedFile struct {
	name    string
	mode    fs.FileMode
	content []byte
}

// demoFiles returns the data folder of a SQLite store with the demo company, which is created once for all tests.
var demoFiles = sync.OnceValues(func() (files []storedFile, err error) {
	directory, err := os.MkdirTemp("", "equity-demo")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	s := newShell(directory)
	var out safeBuffer
	if status := s.program("", &out, &out).run(context.Background(), []string{"demo"}); status != statusDone {
		return nil, fmt.Errorf("equity demo: status %d: %s", status, out.String())
	}
	root := s.variables["DATA_DIRECTORY"]
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		file := storedFile{name: name, mode: info.Mode()}
		if !entry.IsDir() {
			file.content, err = os.ReadFile(path)
		}
		files = append(files, file)
		return err
	})
	return files, err
})

// demo writes the demo company into the empty data folder. It runs equity demo if the store is not in that folder, or if settings change its content.
func (s *shell) demo(t *testing.T) {
	t.Helper()
	for _, name := range []string{"DATABASE_URL", "SECRET_KEY", "SNAPSHOT_EVERY"} {
		if _, set := s.variables[name]; set {
			s.run(t, "demo")
			return
		}
	}
	files, err := demoFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		path := filepath.Join(s.variables["DATA_DIRECTORY"], file.name)
		if file.mode.IsDir() {
			err = os.MkdirAll(path, file.mode.Perm())
		} else {
			err = os.WriteFile(path, file.content, file.mode.Perm())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
