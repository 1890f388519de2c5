package http

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"
)

// The prefixes of all routes: the API's own, and what the browser app puts before it.
const (
	prefix    = "/v1"
	appPrefix = "/api"
)

// routes finds the operation of a request. gorilla/mux tries its routes one after
// another, a regular expression each; so the paths are shared out to small routers
// by their number of segments and by the literals at two places, and a request
// tries one or two.
type routes struct {
	buckets map[bucket]*mux.Router
}

// bucket is what paths have in common: first and third are literal segments, empty
// where a path has a parameter or nothing there.
type bucket struct {
	segments     int
	first, third string
}

// endpoint is one path with its operations by method.
type endpoint struct {
	path    string
	methods map[string]*operation
	allow   string
}

func newRoutes(operations map[string]*operation) (*routes, error) {
	endpoints := map[string]*endpoint{}
	for _, op := range operations {
		e := endpoints[op.path]
		if e == nil {
			e = &endpoint{path: op.path, methods: map[string]*operation{}}
			endpoints[op.path] = e
		}
		e.methods[op.method] = op
	}
	paths := make([]string, 0, len(endpoints))
	for path := range endpoints {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { // literals before parameters
		return strings.Compare(strings.ReplaceAll(a, "{", "\xff"), strings.ReplaceAll(b, "{", "\xff"))
	})
	r := &routes{buckets: map[bucket]*mux.Router{}}
	for _, path := range paths {
		if err := r.add(endpoints[path]); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// add enters a path into the router of its bucket. All methods of a path are one route, so that a
// wrong one is answered with those there are (405).
func (r *routes) add(e *endpoint) error {
	for method := range e.methods {
		e.allow += ", " + method
		if method == http.MethodGet {
			e.allow += ", " + http.MethodHead
		}
	}
	allowed := strings.Split(strings.TrimPrefix(e.allow, ", "), ", ")
	slices.Sort(allowed)
	e.allow = strings.Join(allowed, ", ")
	key := bucketOf(e.path)
	if key.first == "" {
		return fmt.Errorf("%w: the path %s begins with a parameter", errContract, e.path)
	}
	router := r.buckets[key]
	if router == nil {
		router = mux.NewRouter()
		r.buckets[key] = router
	}
	return router.Path(prefix + e.path).Handler(e).GetError()
}

// ServeHTTP makes an endpoint what mux can hold; routes only ever asks for the match.
func (*endpoint) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusInternalServerError)
}

// bucketOf gives the bucket of a path below the prefix, such as /organization/{id}/role.
func bucketOf(path string) bucket {
	var b bucket
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		b.segments++
		if strings.HasPrefix(segment, "{") {
			segment = ""
		}
		switch b.segments {
		case 1:
			b.first = segment
		case thirdSegment:
			b.third = segment
		}
	}
	return b
}

const thirdSegment = 3

var errNoMatch = errors.New("no route")

// find gives the endpoint of a request's path and the parameters in it. The path
// begins with the prefix.
func (r *routes) find(request *http.Request) (*endpoint, map[string]string, error) {
	key := bucketOf(request.URL.Path[len(prefix):])
	for _, candidate := range []bucket{key, {key.segments, key.first, ""}} {
		router, ok := r.buckets[candidate]
		if !ok {
			continue
		}
		var match mux.RouteMatch
		if router.Match(request, &match) {
			found, _ := match.Handler.(*endpoint)
			return found, match.Vars, nil
		}
	}
	return nil, nil, errNoMatch
}
