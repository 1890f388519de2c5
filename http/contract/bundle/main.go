package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

const header = "Code generated from the files of contract/ by `make generate`. DO NOT EDIT."

var errUsage = errors.New("usage: bundle FOLDER OUTPUT")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errUsage
	}
	text, err := bundle(args[0])
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], text, 0o644) //nolint:gosec // a source file like any other
}

// bundle returns the document joined from the files of the folder.
func bundle(folder string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	doc := document{}
	for _, file := range files {
		if err := doc.read(file); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
	}
	root, err := doc.join()
	if err != nil {
		return nil, err
	}
	root.HeadComment = header
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}
