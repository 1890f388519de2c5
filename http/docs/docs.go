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
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

//go:embed page.html style.css
var assets embed.FS

// Path is the path of the page. The style sheet is below it.
const Path = "/docs"

const policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// exampleBase is the base of the addresses in the examples until the public one is known.
const exampleBase = "http://127.0.0.1:8080"

// Page is the rendered page.
type Page struct {
	html  []byte
	style file
}

// file is one response, plain and compressed.
type file struct {
	kind, tag       string
	plain, squeezed []byte
}

// New renders the page of a contract. The text is the YAML source of doc. It provides the order of declarations,
// which the parsed document has lost.
func New(doc *openapi3.T, text []byte) (*Page, error) {
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
	p := &Page{html: out.Bytes()}
	p.style, err = newFile("text/css; charset=utf-8", style)
	return p, err
}

// File returns the handler of a file with an ETag. It is made and compressed by the first request.
func File(kind string, content func() ([]byte, error)) http.HandlerFunc {
	made := sync.OnceValues(func() (file, error) {
		plain, err := content()
		if err != nil {
			return file{}, err
		}
		return newFile(kind, plain)
	})
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := made()
		if err != nil {
			http.Error(w, "The document cannot be shown.", http.StatusInternalServerError)
			return
		}
		found.ServeHTTP(w, r)
	}
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

// At returns the handler of the page and its style sheet for the public base URL. Other paths are not found.
func (p *Page) At(base string) http.Handler {
	html := File("text/html; charset=utf-8", func() ([]byte, error) {
		if base == "" {
			return p.html, nil
		}
		return bytes.ReplaceAll(p.html, []byte(exampleBase), []byte(template.HTMLEscapeString(strings.TrimSuffix(base, "/")))), nil
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case Path, Path + "/":
			html(w, r)
		case Path + "/style.css":
			p.style.ServeHTTP(w, r)
		default:
			http.NotFound(w, r)
		}
	})
}

// ServeHTTP sends the file. Browsers revalidate it every time, because it changes with the server.
func (f *file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "The reference is only read.", http.StatusMethodNotAllowed)
		return
	}
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
