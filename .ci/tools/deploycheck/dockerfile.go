package main

import (
	"fmt"
	"os"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func dockerfile(files []string) error {
	if len(files) != 1 {
		return errOneFile
	}
	file, err := os.Open(files[0])
	if err != nil {
		return err
	}
	defer file.Close()
	parsed, err := parser.Parse(file)
	if err != nil {
		return err
	}
	for _, warning := range parsed.Warnings {
		return fmt.Errorf("%s: %s", files[0], warning.Short)
	}
	stages, _, err := instructions.Parse(parsed.AST, linter.New(&linter.Config{}))
	if err != nil {
		return err
	}
	for _, stage := range stages {
		fmt.Println("FROM", stage.BaseName, "AS", stage.Name)
		for _, command := range stage.Commands {
			fmt.Printf("%s\n", command)
		}
	}
	return nil
}
