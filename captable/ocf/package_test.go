package ocf_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// content is a package prepared for comparison: the objects of each file type in order, and
// the manifest without fields that differ between exports.
type content struct {
	manifest map[string]any
	objects  map[string][]any
}

func contentOf(tb testing.TB, fsys fs.FS) content {
	tb.Helper()
	c := content{objects: map[string][]any{}}
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		tb.Fatal(err)
	}
	lists := map[string]any{}
	for _, name := range names {
		fields := decoded(tb, fsys, name)
		kind, _ := fields["file_type"].(string)
		if kind == "OCF_MANIFEST_FILE" {
			lists = fields
			continue
		}
		items, _ := fields["items"].([]any)
		c.objects[kind] = append(c.objects[kind], items...)
	}
	for key := range lists {
		if strings.HasSuffix(key, "_files") {
			delete(lists, key)
		}
	}
	delete(lists, "as_of")
	delete(lists, "generated_at")
	c.manifest = lists
	return c
}

func decoded(tb testing.TB, fsys fs.FS, name string) map[string]any {
	tb.Helper()
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		tb.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var fields map[string]any
	if err := decoder.Decode(&fields); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return fields
}

// same compares two packages object by object.
func same(tb testing.TB, got, want fs.FS) {
	tb.Helper()
	g, w := contentOf(tb, got), contentOf(tb, want)
	if !reflect.DeepEqual(g.manifest, w.manifest) {
		tb.Errorf("the manifest:\n got %v\nwant %v", g.manifest, w.manifest)
	}
	for kind := range w.objects {
		if len(g.objects[kind]) != len(w.objects[kind]) {
			tb.Errorf("%s: got %d objects, want %d", kind, len(g.objects[kind]), len(w.objects[kind]))
			continue
		}
		for i, object := range w.objects[kind] {
			if !reflect.DeepEqual(g.objects[kind][i], object) {
				tb.Errorf("%s, object %d:\n got %v\nwant %v", kind, i, g.objects[kind][i], object)
			}
		}
	}
	for kind := range g.objects {
		if w.objects[kind] == nil {
			tb.Errorf("there are %s, which there were not", kind)
		}
	}
}

// compiled holds the format's file schemas by file type. They are compiled once, because
// compiling takes longer than any test that uses them.
var compiled = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	root := filepath.Join(schemaFolder, "ocf", "schema")
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".schema.json") {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		schema, err := jsonschema.UnmarshalJSON(file)
		if err != nil {
			return err
		}
		id := schema.(map[string]any)["$id"].(string)
		if filepath.Base(filepath.Dir(path)) == "files" && strings.Contains(id, "/schema/files/") {
			files = append(files, id)
		}
		return compiler.AddResource(id, schema)
	})
	if err != nil {
		return nil, err
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, id := range files {
		schema, err := compiler.Compile(id)
		if err != nil {
			return nil, fmt.Errorf("compile %s: %w", id, err)
		}
		kind := fmt.Sprint(*schema.Properties["file_type"].Const)
		schemas[kind] = schema
	}
	return schemas, nil
})

var schemaFolder string

var located sync.Once

// withoutRepricings removes the repricings from a file. The format defines them, but its
// transactions file schema omits them.
func withoutRepricings(file any) {
	object, _ := file.(map[string]any)
	items, listed := object["items"].([]any)
	if !listed {
		return
	}
	object["items"] = slices.DeleteFunc(items, func(item any) bool {
		fields, _ := item.(map[string]any)
		return fields["object_type"] == "TX_EQUITY_COMPENSATION_REPRICING"
	})
}

// valid validates every file of a package against the format's schemas.
func valid(tb testing.TB, files fstest.MapFS) {
	tb.Helper()
	folder := shared(tb)
	located.Do(func() { schemaFolder = folder })
	schemas, err := compiled()
	if err != nil {
		tb.Fatal(err)
	}
	for name, file := range files {
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(string(file.Data)))
		if err != nil {
			tb.Fatal(err)
		}
		kind, _ := object.(map[string]any)["file_type"].(string)
		if schemas[kind] == nil {
			tb.Errorf("%s is of no type: %q", name, kind)
			continue
		}
		withoutRepricings(object)
		if err := schemas[kind].Validate(object); err != nil {
			tb.Errorf("%s: %v", name, err)
		}
	}
}
