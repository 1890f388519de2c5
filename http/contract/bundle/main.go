package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"
)

const header = "Code generated from the files of contract/ and of the rooms by `make generate`. DO NOT EDIT."

var errUsage = errors.New("usage: bundle FOLDER OUTPUT ROOMS")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errUsage
	}
	text, err := bundle(args[0], args[2])
	if err != nil {
		return err
	}
	return os.WriteFile(args[1], text, 0o644) //nolint:gosec // a source file like any other
}

// roomContract is the name of the contract in the folder of a room.
const roomContract = "contract.yaml"

// bundle returns the document joined from the files of the folder, and then from the contracts of the rooms. There may be no rooms.
func bundle(folder, rooms string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	contracts, err := filepath.Glob(filepath.Join(rooms, "*", roomContract))
	if err != nil {
		return nil, err
	}
	doc := document{}
	for _, file := range slices.Concat(files, contracts) {
		if err := doc.read(file); err != nil {
			return nil, fmt.Errorf("%s: %w", nameOf(file), err)
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

// nameOf returns the name of a file in messages.
func nameOf(file string) string {
	if filepath.Base(file) == roomContract {
		return filepath.Join(filepath.Base(filepath.Dir(file)), roomContract)
	}
	return filepath.Base(file)
}
