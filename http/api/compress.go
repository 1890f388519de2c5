package api

import (
	"compress/gzip"
	"net/http"
	"strconv"
	"sync"

	"github.com/klauspost/compress/gzhttp"
)

const (
	// compressFrom is the size in bytes from which a body is compressed.
	compressFrom = 1 << 10
	// jitter is the greatest number of random bytes that hide the exact size of a compressed body.
	jitter = 32
)

// compress returns a handler whose bodies are compressed with gzip if they are large and the request accepts it.
var compress = sync.OnceValue(func() func(http.Handler) http.HandlerFunc { //nolint:gochecknoglobals // it has no state
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.EnableZstd(false),
		gzhttp.ContentTypes([]string{ContentJSON, ContentCSV}), gzhttp.RandomJitter(jitter, 0, false))
	if err != nil { // the options are constants
		panic(err)
	}
	return wrap
})

// sendBody sends a body of the type in the header. Private answers are never compressed, because the size of a compressed body tells
// something about a secret beside text of an attacker.
func (a *Answer) sendBody(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if a.Private || len(body) < compressFrom || r.Method == http.MethodHead {
		sendPlain(w, status, body)
		return
	}
	compress()(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { sendPlain(w, status, body) }))(w, r)
}

func sendPlain(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client has gone
}
