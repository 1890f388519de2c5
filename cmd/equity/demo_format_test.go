package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// formatFolder returns the folder with the schemas of the Open Cap Format.
func formatFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("SHARED")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared")
	}
	folder = filepath.Join(folder, "ocf", "schema")
	if _, err := os.Stat(folder); err != nil {
		t.Fatalf("the schemas of the format are required in %s; set SHARED to their parent folder: %v", folder, err)
	}
	return folder
}

// formatSchemas returns the schemas of files by file type.
func formatSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	var files []string
	err := filepath.WalkDir(formatFolder(t), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".schema.json") {
			return err
		}
		schema := readJSON(t, path)
		id, _ := schema["$id"].(string)
		if filepath.Base(filepath.Dir(path)) == "files" && strings.Contains(id, "/schema/files/") {
			files = append(files, id)
		}
		return compiler.AddResource(id, any(schema))
	})
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, id := range files {
		schema, err := compiler.Compile(id)
		if err != nil {
			t.Fatalf("compile %s: %v", id, err)
		}
		schemas[fmt.Sprint(*schema.Properties["file_type"].Const)] = schema
	}
	return schemas
}

func readJSON(t *testing.T, path string) map[string]any {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	content, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	object, _ := content.(map[string]any)
	return object
}

func TestDemoExportMatchesTheFormatSchemas(t *testing.T) {
	t.Parallel()
	s := setup(t)
	archive := filepath.Join(s.directory, "demo.ocf.zip")
	s.run(t, "export", s.demoID(t), "--output", archive)
	files, err := filepath.Glob(filepath.Join(unpacked(t, archive), "*"))
	if err != nil || len(files) < 5 {
		t.Fatalf("the package has %v, %v", files, err)
	}
	schemas, objects := formatSchemas(t), 0
	for _, path := range files {
		content := readJSON(t, path)
		kind, _ := content["file_type"].(string)
		if schemas[kind] == nil {
			t.Errorf("%s is of no type: %q", filepath.Base(path), kind)
		} else if err := schemas[kind].Validate(any(content)); err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		items, _ := content["items"].([]any)
		objects += len(items)
	}
	if objects < 200 {
		t.Errorf("the package has %d objects only", objects)
	}
}
