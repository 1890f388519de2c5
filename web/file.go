package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// smallestCompressed is the size in bytes from which text is compressed; smaller files gain nothing.
const smallestCompressed = 512

// brotliLevel compresses the largest file in about 20 ms, and by about a tenth better than gzip.
const brotliLevel = 6

// Values of headers that all files share. They must not be modified.
var (
	immutable      = []string{"public, max-age=31536000, immutable"}        //nolint:gochecknoglobals // immutable
	revalidated    = []string{"no-cache"}                                   //nolint:gochecknoglobals // immutable
	byEncoding     = []string{"Accept-Encoding"}                            //nolint:gochecknoglobals // immutable
	nothing        = []string{"default-src 'none'; frame-ancestors 'none'"} //nolint:gochecknoglobals // immutable
	sameOriginOnly = []string{"same-origin"}                                //nolint:gochecknoglobals // immutable
)

// file is a file of the app with its compressed forms.
type file struct {
	document                        bool // HTML
	mediaType, cacheControl, policy []string
	// forms has the identity first, then gzip and brotli for text.
	forms []form
}

// form is one representation of a file.
type form struct {
	coding  string // as in Accept-Encoding; empty for the identity
	content func() *content
}

// content is the answer of a form. The slices are header values, so that an answer needs no allocation.
type content struct {
	encoding, tag, length []string
	body                  []byte
}

// readFile reads a file. Its compressed forms are made at their first request, and kept.
func readFile(files fs.FS, name string, policy []string) (*file, error) {
	kind, known := mediaTypes()[path.Ext(name)]
	if !known {
		return nil, fmt.Errorf("%w: %s", errMediaType, name)
	}
	read := &file{mediaType: []string{kind}, cacheControl: revalidated, policy: nothing, document: path.Ext(name) == ".html"}
	if read.document {
		read.policy = policy
	}
	if strings.HasPrefix("/"+name, assetsPath) {
		read.cacheControl = immutable
	}
	body, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	identity := newContent("", body)
	read.forms = []form{{"", func() *content { return identity }}}
	if len(body) >= smallestCompressed && isText(kind) {
		for _, coding := range []string{"gzip", "br"} {
			read.forms = append(
				read.forms, form{coding, sync.OnceValue(func() *content { return newContent(coding, compress(coding, body)) })},
			)
		}
	}
	return read, nil
}

// isText reports whether files of the media type become smaller by compression.
func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.HasSuffix(mediaType, "json") || strings.HasSuffix(mediaType, "+xml")
}

// compress returns the compressed bytes. Writing to memory does not fail.
func compress(coding string, body []byte) []byte {
	var compressed bytes.Buffer
	var to io.WriteCloser = brotli.NewWriterLevel(&compressed, brotliLevel)
	if coding == "gzip" {
		to = gzip.NewWriter(&compressed)
	}
	_, _ = to.Write(body)
	_ = to.Close()
	return compressed.Bytes()
}

// newContent returns a content with its ETag, which is the digest of its bytes: embedded files have no modification time.
func newContent(coding string, body []byte) *content {
	const tagBytes = 16
	sum := sha256.Sum256(body)
	made := &content{
		body: body, length: []string{strconv.Itoa(len(body))},
		tag: []string{`"` + base64.RawURLEncoding.EncodeToString(sum[:tagBytes]) + `"`},
	}
	if coding != "" {
		made.encoding = []string{coding}
	}
	return made
}

// serve sends the form that the request accepts. An answer 304 has the same headers, because browsers
// store them in place of the earlier ones.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	chosen := f.choose(r.Header["Accept-Encoding"]).content()
	header := w.Header()
	header["Cache-Control"] = f.cacheControl
	header["Content-Security-Policy"] = f.policy
	if f.document {
		header["Cross-Origin-Opener-Policy"] = sameOriginOnly
	}
	header["Cross-Origin-Resource-Policy"] = sameOriginOnly
	header["Etag"] = chosen.tag
	header["Vary"] = byEncoding
	if matches(r.Header["If-None-Match"], chosen.tag[0]) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header["Content-Type"] = f.mediaType
	header["Content-Length"] = chosen.length
	if chosen.encoding != nil {
		header["Content-Encoding"] = chosen.encoding
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(chosen.body) // the client has gone
	}
}

// choose returns the form with the highest weight; of equal ones, the last one. Without an acceptable form it returns the
// identity, as RFC 9110 permits.
func (f *file) choose(accepted []string) *form {
	chosen, best := &f.forms[0], 0
	for i := range f.forms {
		if weight := weigh(accepted, f.forms[i].coding); weight > 0 && weight >= best {
			chosen, best = &f.forms[i], weight
		}
	}
	return chosen
}

// matches reports whether If-None-Match contains the tag, also in its weak form.
func matches(given []string, tag string) bool {
	for _, list := range given {
		for element := range strings.SplitSeq(list, ",") {
			element = strings.TrimSpace(element)
			if element == "*" || strings.TrimPrefix(element, "W/") == tag {
				return true
			}
		}
	}
	return false
}

var errMediaType = errors.New("a file of the app has no known media type")

// mediaTypes returns the media types by file extension. The table of the operating system is not used, because it differs
// between machines.
func mediaTypes() map[string]string {
	return map[string]string{
		".css":         "text/css; charset=utf-8",
		".html":        "text/html; charset=utf-8",
		".ico":         "image/x-icon",
		".jpg":         "image/jpeg",
		".js":          "text/javascript; charset=utf-8",
		".json":        "application/json",
		".map":         "application/json",
		".mjs":         "text/javascript; charset=utf-8",
		".png":         "image/png",
		".svg":         "image/svg+xml",
		".txt":         "text/plain; charset=utf-8",
		".wasm":        "application/wasm",
		".webmanifest": "application/manifest+json",
		".webp":        "image/webp",
		".woff2":       "font/woff2",
	}
}
