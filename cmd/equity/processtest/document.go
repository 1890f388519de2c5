package processtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"testing"
)

// Document is a listed document.
type Document struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// StoreDocument uploads a document to the root of the data room.
func (c *Client) StoreDocument(ctx context.Context, company Company, name string, content []byte) (Answer, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		return Answer{}, err
	}
	if _, err := part.Write(content); err != nil {
		return Answer{}, err
	}
	if err := w.Close(); err != nil {
		return Answer{}, err
	}
	return c.send(ctx, "POST", company.path("/document"), &form, "Content-Type", w.FormDataContentType())
}

// Documents returns the documents at the root of the data room.
func (c *Client) Documents(t *testing.T, company Company) []Document {
	t.Helper()
	var list []Document
	if err := json.Unmarshal(c.read(t, company.path("/document")), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// Content returns the bytes of a document.
func (c *Client) Content(t *testing.T, company Company, id string) []byte {
	t.Helper()
	return c.read(t, company.path("/document/"+id+"/content"))
}

// read returns the body of an answer with the status 200.
func (c *Client) read(t *testing.T, path string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %d %v %.200s", path, response.StatusCode, err, body)
	}
	return body
}
