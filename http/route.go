package http

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"equity/http/api"
)

// routes finds the operation of a request. gorilla/mux tries its routes one after another, each with a
// regular expression. The paths are therefore distributed over small routers by their number of
// segments and by two literal segments; a request tries one or two routers.
type routes struct {
	buckets map[bucket]*mux.Router
}

// bucket is the common part of paths: first and third are literal segments, empty for a parameter or a
// missing segment.
type bucket struct {
	segments     int
	first, third string
}

// endpoint is a path with its operations by method.
type endpoint struct {
	path    string
	methods map[string]*api.Operation
	allow   string
}

func newRoutes(operations []*api.Operation) (*routes, error) {
	endpoints := map[string]*endpoint{}
	for _, op := range operations {
		e := endpoints[op.Path]
		if e == nil {
			e = &endpoint{path: op.Path, methods: map[string]*api.Operation{}}
			endpoints[op.Path] = e
		}
		e.methods[op.Method] = op
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

// add adds a path to the router of its bucket. All methods of a path share one route, so that a 405
// can list them.
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
		return fmt.Errorf("%w: the path %s begins with a parameter", api.ErrContract, e.path)
	}
	router := r.buckets[key]
	if router == nil {
		router = mux.NewRouter()
		r.buckets[key] = router
	}
	return router.Path(api.Prefix + e.path).Handler(e).GetError()
}

// ServeHTTP satisfies http.Handler, which mux requires. It is never called.
func (*endpoint) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusInternalServerError)
}

// bucketOf returns the bucket of a path without the prefix, such as /organization/{id}/role.
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

// find returns the endpoint and the path parameters of a request. The path must begin with the prefix.
func (r *routes) find(request *http.Request) (*endpoint, map[string]string, error) {
	key := bucketOf(request.URL.Path[len(api.Prefix):])
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
