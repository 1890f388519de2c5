package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder writes files of a contract into a temporary folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	path := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

const head = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n"

// responses are the error responses that the bundler refers to.
const responses = `
components:
  schemas:
    Preview: {type: object, properties: {dryRun: {type: boolean, example: true}}}
  headers:
    ETag: {schema: {type: string}}
  parameters:
    ifMatch: {name: If-Match, in: header, schema: {type: string}}
    dryRun: {name: dryRun, in: query, schema: {type: boolean}}
  responses:
    BadRequest: {description: x.}
    Unauthorized: {description: x.}
    Forbidden: {description: x.}
    NotFound: {description: x.}
    Conflict: {description: x.}
    Stale: {description: x.}
    TooLarge: {description: x.}
    UnsupportedMediaType: {description: x.}
    TooManyAttempts: {description: x.}
    Internal: {description: x.}
    Unavailable: {description: x.}
`

const thing = `
paths:
  /thing/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    patch:
      operationId: amendThing
      x-permission: canEditThing
      x-agent: write
      parameters: [{$ref: '#/components/parameters/ifMatch'}, {$ref: '#/components/parameters/dryRun'}]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/AmendThing'}}}}
      responses:
        "200": {description: it., content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
components:
  x-fragments:
    Named: {properties: {name: {type: string, example: a name}, size: {$ref: '#/components/schemas/Size'}, width: {allOf: [{$ref: '#/components/schemas/Size'}], description: The width.}}, required: [name]}
  schemas:
    Size: {type: integer, x-help: Its size., example: 3}
    Thing: {type: object, x-include: [Named], required: [id], properties: {id: {type: string, example: an id}}}
    Fields: {type: object, x-include: [Named], additionalProperties: false, x-internal: true}
    AmendThing: {x-patch: Fields, example: {size: null}}
`

func TestBundleAddsDerivedParts(t *testing.T) {
	t.Parallel()
	path := folder(t, map[string]string{"openapi.yaml": head, "common.yaml": responses, "thing.yaml": thing})
	text, err := bundle(path, "")
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for claim, want := range map[string]string{
		"fragments come first and their required fields too":    "required: [name, id]",
		"optional properties of a patch may be null":            "nullable: true",
		"a reference of a patch may be null and keeps its name": "{type: integer, x-help: Its size., example: 3, x-schema: [Size], nullable: true}",
		"a description replaces the help text of its schema":    "{type: integer, example: 3, x-schema: [Size], description: The width., nullable: true}",
		"a change may be stale":                                 `"412": {$ref: '#/components/responses/Stale'}`,
		"a guarded operation can be forbidden":                  `"403": {$ref: '#/components/responses/Forbidden'}`,
		"a path can be unknown":                                 `"404": {$ref: '#/components/responses/NotFound'}`,
		"a dry run returns a preview":                           "oneOf: [{$ref: '#/components/schemas/Thing'}, {$ref: '#/components/schemas/Preview'}]",
		"a body has an example composed of its parts' examples": "name: a name",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", claim, want, got)
		}
	}
	for _, gone := range []string{"x-include", "x-patch", "x-internal", "Fields", "x-fragments", "required: [name]\n"} {
		if strings.Contains(got, gone) {
			t.Errorf("%s is still there", gone)
		}
	}
	again, err := bundle(path, "")
	if err != nil || string(again) != got {
		t.Errorf("the output differs for the same files: %v", err)
	}
}

func TestContractOfARoomIsAdded(t *testing.T) {
	t.Parallel()
	rooms := t.TempDir()
	room := filepath.Join(rooms, "bell")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(room, "contract.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(room, 0o700); err != nil {
		t.Fatal(err)
	}
	core := folder(t, map[string]string{"openapi.yaml": head, "common.yaml": responses})
	write(thing)
	text, err := bundle(core, rooms)
	if err != nil || !strings.Contains(string(text), "operationId: amendThing") {
		t.Errorf("%v\n%s", err, text)
	}
	write("- 1")
	if _, err := bundle(core, rooms); err == nil || err.Error() != "bell/contract.yaml: not a mapping" {
		t.Errorf("%v", err)
	}
}

func TestParameterWithTheNameOfASchemaIsRenamed(t *testing.T) {
	t.Parallel()
	const same = `
paths: {"/thing": {parameters: [{$ref: '#/components/parameters/thing'}]}}
components:
  parameters: {thing: {name: thing, in: query, schema: {$ref: '#/components/schemas/Thing'}}}
  schemas: {Thing: {type: string}}
`
	text, err := bundle(folder(t, map[string]string{"openapi.yaml": head, "a.yaml": same}), "")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), "thingParameter") != 2 || strings.Contains(string(text), "parameters/thing'") {
		t.Errorf("%s", text)
	}
}

func TestBundleRefuses(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"files without a head":    {map[string]string{"a.yaml": responses}, "openapi.yaml is missing"},
		"a schema declared twice": {map[string]string{"openapi.yaml": head, "a.yaml": thing, "b.yaml": thing}, "declared twice"},
		"a dangling reference, with its place": {
			map[string]string{"openapi.yaml": head, "a.yaml": thing},
			"a.yaml line 9: #/components/parameters/ifMatch: does not exist",
		},
		"an unused component": {map[string]string{"openapi.yaml": head, "a.yaml": responses}, "is not used"},
		"an unknown fragment": {map[string]string{
			"openapi.yaml": head, "a.yaml": "components: {schemas: {A: {type: object, x-include: [Unknown]}}}",
		}, "fragment Unknown"},
		"a patch of an unknown schema": {map[string]string{
			"openapi.yaml": head, "a.yaml": "components: {schemas: {A: {x-patch: Unknown}}}",
		}, "x-patch Unknown"},
		"a property of a patch without a type": {map[string]string{
			"openapi.yaml": head, "a.yaml": "components: {schemas: {A: {type: object, properties: {b: {oneOf: []}}}, C: {x-patch: A}}}",
		}, "a property of a patch has no type"},
		"the rest of a text after a comma": {map[string]string{
			"openapi.yaml": head, "a.yaml": "components: {schemas: {A: {type: object, description: Shares, notes and warrants.}}}",
		}, "line 1: \"notes and warrants.\": a key has no value"},
		"the rest of a text after a comma and before a colon": {map[string]string{
			"openapi.yaml": head, "a.yaml": "components: {schemas: {A: {type: object, description: Shares, one of: notes}}}",
		}, "line 1: \"one of\": a key contains a space"},
		"a text cut before a word of the format": {map[string]string{
			"openapi.yaml": head, "a.yaml": "components: {schemas: {A: {type: object, description: A price, default: that of the pool.}}}",
		}, "line 1: \"description\": a description must end with a period"},
		"a comma in a text of a path": {map[string]string{
			"openapi.yaml": head, "a.yaml": "paths: {/a: {parameters: [{name: a, in: query, description: City, region or state}]}}",
		}, "line 1: \"region or state\": a key has no value"},
		"a text cut by a number sign": {map[string]string{
			"openapi.yaml": head, "a.yaml": "components:\n  schemas:\n    A:\n      description: Round #2 of the plan\n",
		}, "line 4: \"Round\": a comment follows a value"},
		"a file without a mapping": {map[string]string{"openapi.yaml": head, "a.yaml": "- 1"}, "not a mapping"},
		"a body without an example": {map[string]string{
			"openapi.yaml": head, "common.yaml": responses, "thing.yaml": strings.Replace(thing, "{type: string, example: an id}", "{type: string}", 1),
		}, "none can be composed"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			if _, err := bundle(folder(t, c.files), ""); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestRunRequiresFoldersAndAFile(t *testing.T) {
	t.Parallel()
	if err := run([]string{"one"}); err == nil {
		t.Error("it ran")
	}
	out := filepath.Join(t.TempDir(), "out.yaml")
	if err := run([]string{"..", out, "../../../features"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil || !strings.HasPrefix(string(text), "# "+header) {
		t.Errorf("%v %.80s", err, text)
	}
}
