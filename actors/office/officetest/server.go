package officetest

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"equity/actors/office"
)

// The names of the program, and the drive.
const (
	TenantID     = "6d1f2b8e-40a7-4b6f-9f0c-0a5c8f8f1c11"
	ClientID     = "0f5a3f52-92a1-4c56-8a43-4f3b5a1d7c22"
	ClientSecret = "Zq8Q~secret.of-the+client/&%"
	DriveID      = "b!-RIj2DuyvEyV1T4NlOaMHk8XkS_I8MdFlUCq1BlcjgmhRfAj3-Z8RY2VpuvV_tpd"
	foreignDrive = "b!another-drive"
)

// Server is an office suite with one drive. It is safe for concurrent use.
type Server struct {
	// URL is the address of the API and of the login service. Contents have addresses of another host.
	URL string

	api, contents *httptest.Server

	mu sync.Mutex
	items
	access   map[string]bool   // valid access tokens
	signed   map[string]string // ids of items by the secrets of pre-signed addresses
	secrets  []string          // all tokens and secrets of addresses
	counts   map[string]int
	faults   Faults
	refusals int // since the faults were set
	lifetime time.Duration
	held     chan struct{} // closed when calls may continue; nil if they need not wait
}

// Faults are the faults of an office suite.
type Faults struct {
	// Status refuses calls with this status; never if it is 0. Code is the code of the refusals, and RetryAfter their header.
	Status           int
	Code, RetryAfter string
	// Kind refuses only calls of this kind, as in Calls. Empty refuses those of the API.
	Kind string
	// Times is the number of refusals; 0 for any number. Every refuses only each such call; 0 for all.
	Times, Every int
	// Break ends the connections of contents after this number of bytes; never if it is 0. Stall keeps them open without further bytes.
	Break int
	Stall bool
	// Direct sends contents without a redirection.
	Direct bool
	// SHA256 adds the hash that only some drives have.
	SHA256 bool
	// Page is the number of items in a page; 0 for the requested one.
	Page int
	// NextURL replaces the addresses of next pages, SignedURL those of contents, and PreviewURL those of previews.
	NextURL, SignedURL, PreviewURL string
	// Padding adds this number of bytes to JSON answers.
	Padding int
}

// New returns an office suite that ends with the test.
func New(tb testing.TB) *Server {
	tb.Helper()
	s, end := Start()
	tb.Cleanup(end)
	return s
}

// Start returns an office suite, and a function that ends it.
func Start() (s *Server, end func()) {
	s = &Server{
		items: items{entries: map[string]*entry{}}, access: map[string]bool{}, signed: map[string]string{}, counts: map[string]int{},
		lifetime: time.Hour,
	}
	s.entries[Root] = &entry{id: Root, name: "root", folder: true, version: 1}
	s.contents = httptest.NewServer(http.HandlerFunc(s.bytes))
	s.api = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.api.URL
	return s, func() {
		s.release()
		s.Close()
		s.contents.CloseClientConnections()
		s.contents.Close()
	}
}

// App returns the settings of a program that uses the drive.
func (s *Server) App() office.App {
	return office.App{
		TenantID: TenantID, ClientID: ClientID, ClientSecret: ClientSecret, DriveID: DriveID, URL: s.URL + "/v1.0",
		LoginURL: s.URL + "/login",
	}
}

// Break sets the faults.
func (s *Server) Break(faults Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults, s.refusals, s.sha256 = faults, 0, faults.SHA256
}

// Calls returns the number of calls of the kind: token, root, item, child, list, folder, upload, download, bytes, move, delete or
// preview. The kind all is that of all calls of the API.
func (s *Server) Calls(kind string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[kind]
}

// SetLifetime sets the lifetime of later access tokens.
func (s *Server) SetLifetime(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lifetime = d
}

// ExpireAccess ends the access tokens.
func (s *Server) ExpireAccess() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
}

// Secrets returns the secret of the client, all access tokens and the secrets of all pre-signed addresses.
func (s *Server) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(slices.Clone(s.secrets), ClientSecret)
}

// ContentHost returns the host of the pre-signed addresses.
func (s *Server) ContentHost() string { return s.contents.Listener.Addr().String() }

// Hold makes all calls wait until the returned function is called.
func (s *Server) Hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil {
		s.held = make(chan struct{})
	}
	return s.release
}

func (s *Server) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held != nil {
		close(s.held)
		s.held = nil
	}
}

func (s *Server) wait(ctx context.Context) {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held == nil {
		return
	}
	select {
	case <-held:
	case <-ctx.Done():
	}
}

// admit counts a call and applies the faults of its kind. It reports whether the call was not refused.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, kind string) bool {
	s.wait(r.Context())
	s.mu.Lock()
	defer s.mu.Unlock()
	api := kind != kindToken && kind != kindBytes
	s.counts[kind]++
	if api {
		s.counts["all"]++
	}
	f := &s.faults
	meant, counted := f.Kind == kind, s.counts[kind]
	if f.Kind == "" {
		meant, counted = api, s.counts["all"]
	}
	if f.Status == 0 || !meant || f.Times > 0 && s.refusals >= f.Times || f.Every > 0 && counted%f.Every != 0 {
		return true
	}
	s.refusals++
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	if kind == kindToken {
		refuseLogin(w, f.Status, f.Code)
	} else {
		refuse(w, f.Status, f.Code)
	}
	return false
}

// Names returns the names of the items in the folder in their order.
func (s *Server) Names(folder string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, e := range s.children(folder) {
		names = append(names, e.name)
	}
	return names
}

// Content returns the content of the file, or false.
func (s *Server) Content(id string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.live(id)
	if found == nil {
		return "", false
	}
	return found.content, !found.folder
}

// Bin returns the ids of the items in the recycle bin.
func (s *Server) Bin() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.entries)), func(id string) bool { return !s.entries[id].deleted })
}

// Close ends the service of the API and of the login.
func (s *Server) Close() {
	s.api.CloseClientConnections()
	s.api.Close()
}
