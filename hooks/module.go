package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"equity/organization"
)

// Transformer runs the modules of mappings, isolated from this program.
type Transformer interface {
	// Transform runs the exported function of the module with the input. The path has no links. The function has no access to files
	// outside the folder. The error is a [messages.CallLimitError] if too many functions run.
	Transform(ctx context.Context, module TransformModule, input TransformInput) (TransformResult, error)
}

// TransformModule is a file with a function.
type TransformModule struct {
	// Folder contains the file and its imports. Path is the file. Both are absolute.
	Folder, Path string
	// Export is the name of the function; the default export or "transform" if it is empty.
	Export string
}

// TransformInput is the argument of a transform.
type TransformInput struct {
	// Organization is that of the token.
	Organization organization.ID
	// Payload is the body as JSON.
	Payload []byte
	Headers map[string]string
	URL     string
	Path    string
}

// TransformResult is the result of a transform.
type TransformResult struct {
	// Skip reports the result null: the request is handled.
	Skip bool
	// Override has the fields of an object; nil for any other result.
	Override Override
}

// The refusals of modules.
var (
	errOutside     = errors.New("the module must be below hooks.transformsDir")
	errNoTransform = errors.New("transforms are not available")
)

// module is a module below the folder of the transforms.
type module struct {
	folder, path, export string
}

// newModule returns the module of a transform. The file need not exist yet.
func newModule(folder string, t *Transform) (*module, error) {
	name := trim(t.Module)
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, name)
	}
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == ".." {
			return nil, errOutside
		}
	}
	if !within(folder, path) {
		return nil, errOutside
	}
	m := &module{folder: folder, path: path, export: trim(t.Export)}
	if _, err := m.resolve(); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return m, nil
}

// within reports whether the path is below the folder.
func within(folder, path string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(relative) && relative != "."
}

// resolve follows links and refuses a file outside the folder. It is called for each request, because links can change.
func (m *module) resolve() (TransformModule, error) {
	folder, err := filepath.EvalSymlinks(m.folder)
	if err != nil {
		return TransformModule{}, err
	}
	path, err := filepath.EvalSymlinks(m.path)
	if err != nil {
		return TransformModule{}, err
	}
	if !within(folder, path) {
		return TransformModule{}, errOutside
	}
	return TransformModule{Folder: folder, Path: path, Export: m.export}, nil
}

// transform runs a module.
func (g *Gateway) transform(ctx context.Context, m *module, input TransformInput) (TransformResult, error) {
	if g.transformer == nil {
		return TransformResult{}, errNoTransform
	}
	resolved, err := m.resolve()
	if err != nil {
		return TransformResult{}, fmt.Errorf("module: %w", err)
	}
	return g.transformer.Transform(ctx, resolved, input)
}
