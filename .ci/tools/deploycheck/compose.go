package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
)

var errOneFile = errors.New("exactly one file is needed")

func compose(files []string) error {
	if len(files) != 1 {
		return errOneFile
	}
	options, err := cli.NewProjectOptions(files, cli.WithWorkingDirectory(filepath.Dir(files[0])), cli.WithOsEnv, cli.WithName("equity"),
		cli.WithInterpolation(true), cli.WithResolvedPaths(true), cli.WithProfiles([]string{"*"}))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	text, err := project.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
