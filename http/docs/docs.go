package docs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

//go:embed page.html style.css
var assets embed.FS

// Path is the path of the page. The style sheet is below it.
const Path = "/docs"

const policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// page is the handler of the rendered page.
type page struct {
	html, style file
}

// file is one response, plain and compressed.
type file struct {
	kind, tag       string
	plain, squeezed []byte
}

// New renders the page of a contract. The text is the YAML source of doc. It provides the order of declarations,
// which the parsed document has lost.
func New(doc *openapi3.T, text []byte) (http.Handler, error) {
	written, err := readOrder(text)
	if err != nil {
		return nil, fmt.Errorf("reference page: %w", err)
	}
	parsed, err := template.ParseFS(assets, "page.html")
	if err != nil {
		return nil, fmt.Errorf("reference page: %w", err)
	}
	facts, err := (&reader{doc: doc, order: written}).read()
	if err != nil {
		return nil, fmt.Errorf("reference page: %w", err)
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, facts); err != nil {
		return nil, fmt.Errorf("reference page: %w", err)
	}
	style, err := assets.ReadFile("style.css")
	if err != nil {
		return nil, fmt.Errorf("reference page: %w", err)
	}
	p := &page{}
	if p.html, err = newFile("text/html; charset=utf-8", out.Bytes()); err != nil {
		return nil, err
	}
	p.style, err = newFile("text/css; charset=utf-8", style)
	return p, err
}

// newFile compresses a file once, at the start, and sets its ETag to the digest.
func newFile(kind string, plain []byte) (file, error) {
	var squeezed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&squeezed, gzip.BestCompression)
	if err != nil {
		return file{}, err
	}
	if _, err := writer.Write(plain); err != nil {
		return file{}, err
	}
	if err := writer.Close(); err != nil {
		return file{}, err
	}
	const digits = 8
	sum := sha256.Sum256(plain)
	return file{
		kind: kind, tag: `"` + hex.EncodeToString(sum[:digits]) + `"`, plain: plain, squeezed: squeezed.Bytes(),
	}, nil
}

// ServeHTTP serves the page and its style sheet. Other paths are not found.
func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "The reference is only read.", http.StatusMethodNotAllowed)
	case r.URL.Path == Path || r.URL.Path == Path+"/":
		p.html.serve(w, r)
	case r.URL.Path == Path+"/style.css":
		p.style.serve(w, r)
	default:
		http.NotFound(w, r)
	}
}

// serve sends the file. Browsers revalidate it every time, because the page changes with the server.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", f.tag)
	header.Add("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == f.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", f.kind)
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		body = f.squeezed
	}
	_, _ = w.Write(body)
}
