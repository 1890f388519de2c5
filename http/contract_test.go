package http_test

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
)

// eachOperation calls do for every operation of the contract.
func eachOperation(c *apitest.Contract, do func(method, path string, item *openapi3.PathItem, operation *openapi3.Operation)) {
	for path, item := range c.Doc.Paths.Map() {
		for method, operation := range item.Operations() {
			do(method, path, item, operation)
		}
	}
}

// inPath returns the path with an id for every parameter.
func inPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		switch {
		case segment == "{webhook}":
			segments[i] = "wh_01926f3c8a5e7c319d552b1f0a6c4e10"
		case segment == "{delivery}":
			segments[i] = "evt_abc234"
		case segment == "{integration}":
			segments[i] = "mail"
		case strings.HasPrefix(segment, "{"):
			segments[i] = "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"
		}
	}
	return "/v1" + strings.Join(segments, "/")
}

func TestEveryOperationIsDocumented(t *testing.T) {
	t.Parallel()
	c := apitest.NewContract(t)
	eachOperation(c, func(method, path string, item *openapi3.PathItem, operation *openapi3.Operation) {
		checkDescribed(t, c, method+" "+path, item, operation)
		for name, callback := range operation.Callbacks {
			for _, item := range callback.Value.Map() {
				checkDescribed(t, c, name, item, item.Post)
			}
		}
	})
	for name, ref := range c.Doc.Components.Schemas {
		for field, property := range ref.Value.Properties {
			if property.Value.Description == "" && (len(property.Value.AllOf) == 0 && property.Ref == "") &&
				property.Value.Items == nil {
				t.Errorf("schema %s: %s lacks a description", name, field)
			}
		}
	}
}

// checkDescribed checks that the operation is described, and that each body has a valid example.
func checkDescribed(t *testing.T, c *apitest.Contract, where string, item *openapi3.PathItem, operation *openapi3.Operation) {
	t.Helper()
	if operation.OperationID == "" || operation.Summary == "" || operation.Description == "" || len(operation.Tags) == 0 {
		t.Errorf("%s lacks an id, a summary, a description or a tag", where)
	}
	for _, list := range []openapi3.Parameters{item.Parameters, operation.Parameters} {
		for _, p := range list {
			if p.Value.Description == "" || p.Value.Example == nil && p.Value.Schema.Value.Example == nil {
				t.Errorf("%s: parameter %s lacks a description or an example", where, p.Value.Name)
			}
		}
	}
	if operation.RequestBody != nil {
		checkDocumented(t, c, where+" body", operation.RequestBody.Value.Content)
	}
	for status, response := range operation.Responses.Map() {
		if *response.Value.Description == "" {
			t.Errorf("%s %s lacks a description", where, status)
		}
		checkDocumented(t, c, where+" "+status, response.Value.Content)
	}
}

// checkDocumented checks that every content has an example, and that a JSON example is valid.
func checkDocumented(t *testing.T, c *apitest.Contract, where string, content openapi3.Content) {
	t.Helper()
	for kind, media := range content {
		if media.Example == nil {
			t.Errorf("%s lacks an example of %s", where, kind)
			continue
		}
		if kind != "application/json" {
			continue
		}
		text, err := json.Marshal(media.Example)
		if err != nil {
			t.Fatal(err)
		}
		c.CheckBody(t, where, media.Schema, string(text))
	}
}

func TestEveryOperationIsRoutedAndRequiresItsPermission(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	stranger := b.NewPerson(t, "stranger@example.com")
	eachOperation(b.Contract, func(method, path string, _ *openapi3.PathItem, operation *openapi3.Operation) {
		permission, _ := operation.Extensions["x-permission"].(string)
		if permission == "" {
			t.Errorf("%s %s has no permission", method, path)
		}
		got := b.Anonymous().Send(t, method, inPath(path), "")
		if permission == "public" {
			if got.Status == 401 || got.Status == 405 || strings.Contains(got.Body, "This path does not exist") {
				t.Errorf("%s %s: %d %s", method, path, got.Status, got.Body)
			}
			return
		}
		if got.Status != 401 {
			t.Errorf("%s %s without a session: %d %s", method, path, got.Status, got.Body)
		}
		if got := b.Anonymous().Send(t, method, "/api"+inPath(path), ""); got.Status != 401 {
			t.Errorf("%s /api%s without a session: %d %s", method, path, got.Status, got.Body)
		}
		if permission == "session" || permission == "gateway" || permission == "canReadSite" || !strings.Contains(path, "{") {
			return
		}
		refused := http.StatusNotFound
		if operation.Extensions["x-organization"] == "body" { // the empty body does not name it
			refused = http.StatusBadRequest
		}
		if got := stranger.Send(t, method, inPath(path), "{}"); got.Status != refused {
			t.Errorf("%s %s by a stranger: %d %s", method, path, got.Status, got.Body)
		}
	})
}

func TestOperationsDeclareTheirConditionalHeaders(t *testing.T) {
	t.Parallel()
	c := apitest.NewContract(t)
	eachOperation(c, func(method, path string, item *openapi3.PathItem, operation *openapi3.Operation) {
		if operation.Extensions["x-permission"] == "public" || operation.Extensions["x-permission"] == "session" && method != "POST" ||
			slices.Contains(operation.Tags, "user") || operation.Extensions["x-permission"] == "canReadSite" && method != "GET" || method == "POST" && operation.Extensions["x-agent"] == "read" ||
			streams(operation) || method == "DELETE" && slices.Contains(operation.Tags, "assistant") { // conversations are outside of the journal
			return
		}
		var names []string
		for _, list := range []openapi3.Parameters{item.Parameters, operation.Parameters} {
			for _, p := range list {
				names = append(names, p.Value.Name)
			}
		}
		want := map[string][]string{
			"GET": {"If-None-Match"}, "POST": {"Idempotency-Key"}, "PUT": {"If-Match", "dryRun"},
			"PATCH": {"If-Match", "dryRun"}, "DELETE": {"If-Match", "dryRun"},
		}[method]
		for _, name := range want {
			if !slices.Contains(names, name) {
				t.Errorf("%s %s does not declare the parameter %s", method, path, name)
			}
		}
	})
}

// streams reports whether the operation answers with a stream of events, which has no ETag.
func streams(operation *openapi3.Operation) bool {
	answer := operation.Responses.Value("200")
	return answer != nil && answer.Value.Content["text/event-stream"] != nil
}

func TestBundleIsCurrent(t *testing.T) {
	t.Parallel()
	fresh := filepath.Join(t.TempDir(), "openapi.yaml")
	command := exec.CommandContext(t.Context(), "go", "run", "./contract/bundle", "contract", fresh, "../features")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string(equityhttp.Document()) {
		t.Error("openapi.yaml differs from contract/: run make generate")
	}
}

func TestServerRefusesMissingAndUnknownHandlers(t *testing.T) {
	t.Parallel()
	_, err := equityhttp.NewServer(equityhttp.Settings{}, equityhttp.Services{
		Random:  rand.Reader,
		Replace: map[string]api.Handler{"issueShareholding": nil, "flyToTheMoon": nil},
	})
	if err == nil || !strings.Contains(err.Error(), "issueShareholding has no handler") || !strings.Contains(err.Error(), "flyToTheMoon") {
		t.Errorf("%v", err)
	}
}
