package transform

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// mostSource bounds a source file, in bytes.
const mostSource = 1 << 20

// moduleName is the variable with the exports of the module.
const moduleName = "hookModule"

// ErrModule reports a module that cannot be bundled.
var ErrModule = errors.New("the module cannot be used")

// Bundle returns the module at the path and its imports as one script. All files must be in the folder.
func Bundle(folder, path string) (string, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{path}, AbsWorkingDir: folder, Bundle: true, Write: false, LogLevel: api.LogLevelSilent,
		Format: api.FormatIIFE, GlobalName: moduleName, Target: api.ES2017, Platform: api.PlatformNeutral,
		MainFields: []string{"module", "main"}, TsconfigRaw: "{}", Charset: api.CharsetUTF8,
		Plugins: []api.Plugin{within(folder)},
	})
	if len(result.Errors) > 0 {
		return "", fmt.Errorf("%w: %s", ErrModule, result.Errors[0].Text)
	}
	if len(result.OutputFiles) == 0 {
		return "", ErrModule
	}
	return string(result.OutputFiles[0].Contents), nil
}

// within refuses files outside the folder, also behind links.
func within(folder string) api.Plugin {
	return api.Plugin{Name: "within", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(in api.OnLoadArgs) (api.OnLoadResult, error) {
			resolved, err := filepath.EvalSymlinks(in.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			relative, err := filepath.Rel(folder, resolved)
			if err != nil || !filepath.IsLocal(relative) {
				return api.OnLoadResult{}, fmt.Errorf("%w: %s is outside the folder of the transforms", ErrModule, filepath.Base(in.Path))
			}
			info, err := os.Stat(resolved)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			if !info.Mode().IsRegular() || info.Size() > mostSource {
				return api.OnLoadResult{}, fmt.Errorf("%w: %s is not a file of at most 1 MiB", ErrModule, filepath.Base(in.Path))
			}
			source, err := os.ReadFile(resolved)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			text := string(source)
			return api.OnLoadResult{Contents: &text, Loader: loader(resolved)}, nil
		})
	}}
}

// loader returns the language of a file.
func loader(path string) api.Loader {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".ts", ".mts", ".cts":
		return api.LoaderTS
	case ".tsx":
		return api.LoaderTSX
	case ".jsx":
		return api.LoaderJSX
	case ".json":
		return api.LoaderJSON
	}
	return api.LoaderJS
}
