package docs_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/docs"
	"equity/persistence/storetest"
)

const contract = `
openapi: 3.0.3
info: {title: Shelves, version: "1", description: "Keeps **books** on <shelves>."}
tags: [{name: book, x-title: Books, description: What stands there.}]
paths:
  /book/{id}:
    parameters: [{name: id, in: path, required: true, description: Its id., example: b1, schema: {type: string}}]
    put:
      operationId: placeBook
      tags: [book]
      summary: Place a book
      description: Puts it on a shelf.
      x-permission: canPlace
      x-agent: write
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Place'}, example: {shelf: "it's 3", after: null}}}
      responses:
        "200": {description: Placed., content: {application/json: {schema: {$ref: '#/components/schemas/Place'}, example: {shelf: "3", after: b0}}}}
        "409": {description: There is no room.}
      callbacks:
        book.placed:
          '{$request.body#/url}':
            post:
              operationId: receivePlaced
              summary: book.placed
              description: A book has its place.
              parameters: [{name: Shelf-Signature, in: header, required: true, description: Proves the sender., schema: {type: string, example: s=1}}]
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Place'}, example: {shelf: "9"}}}}
              responses: {"200": {description: It is heard.}}
components:
  schemas:
    Place:
      type: object
      description: Where a book stands.
      required: [shelf]
      properties:
        shelf: {type: string, maxLength: 9, description: Which shelf.}
        after: {type: string, nullable: true, description: Behind which book.}
        kind: {type: string, enum: [novel, atlas], description: Of what kind.}
`

func setup(t *testing.T) *httptest.Server {
	t.Helper()
	text := []byte(contract)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := docs.New(doc, text)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler.At("https://equity.example.com/"))
	storetest.Cleanup(t, server.Close)
	return server
}

// answer is a response to the test.
type answer struct {
	status int
	header http.Header
}

func get(t *testing.T, server *httptest.Server, method, path string, headers ...string) (got answer, page string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header}, string(body)
}

func TestPageContainsTheWholeContract(t *testing.T) {
	t.Parallel()
	_, page := get(t, setup(t), "GET", "/docs")
	for claim, want := range map[string]string{
		"the description, marked up":        "<strong>books</strong> on &lt;shelves&gt;.",
		"an anchor for every operation":     `id="placeBook-operation"`,
		"the route":                         "/v1/book/{id}",
		"the permission":                    "canPlace",
		"that it is a tool":                 "tool: write",
		"the example in order":              "&#34;shelf&#34;: &#34;it&#39;s 3&#34;,\n  &#34;after&#34;: null",
		"the curl command":                  "curl -X PUT -b cookies.txt",
		"the curl command with example ids": "https://equity.example.com/v1/book/b1",
		"quotes that the shell needs":       `it&#39;\&#39;&#39;s 3`,
		"the error responses":               "There is no room.",
		"the address of callbacks":          "POST {$request.body#/url}",
		"the header of callbacks":           "<code>s=1</code>",
		"the type of a callback":            "<code>book.placed</code>",
		"the example of a callback":         "&#34;shelf&#34;: &#34;9&#34;",
		"the answer to a callback":          "It is heard.",
		"a link to the schema":              `<a href="#schema-Place">Place</a>`,
		"the limits of a field":             "string, at most 9 characters",
		"that a field may be null":          "string or null",
		"the values that a field can be":    "<code>novel</code> <code>atlas</code>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: no %s", claim, want)
		}
	}
	if strings.Index(page, "Which shelf") > strings.Index(page, "Behind which book") {
		t.Error("the fields are not in the order of their declaration")
	}
}

func TestPageIsCachedAndCompressed(t *testing.T) {
	t.Parallel()
	server := setup(t)
	first, plain := get(t, server, "GET", "/docs")
	second, _ := get(t, server, "GET", "/docs", "If-None-Match", first.header.Get("ETag"))
	if second.status != http.StatusNotModified {
		t.Errorf("%d", second.status)
	}
	squeezed, body := get(t, server, "GET", "/docs", "Accept-Encoding", "gzip")
	if squeezed.header.Get("Content-Encoding") != "gzip" || len(body) >= len(plain) {
		t.Errorf("%v %d %d", squeezed.header, len(body), len(plain))
	}
	style, _ := get(t, server, "GET", "/docs/style.css")
	if style.header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("%v", style.header)
	}
}

func TestPageAcceptsReadsOnly(t *testing.T) {
	t.Parallel()
	server := setup(t)
	if response, _ := get(t, server, "POST", "/docs"); response.status != http.StatusMethodNotAllowed {
		t.Errorf("%d", response.status)
	}
	if response, _ := get(t, server, "GET", "/docs/nothing"); response.status != http.StatusNotFound {
		t.Errorf("%d", response.status)
	}
}

func TestEmptyContractIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := docs.New(&openapi3.T{Info: &openapi3.Info{}}, nil); err == nil {
		t.Error("an empty contract was accepted")
	}
}
