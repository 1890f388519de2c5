package http_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
	"equity/persistence/blob"
	"equity/persistence/blob/blobtest"
)

// memoryStores replaces the stores when only the server is measured: an organization in memory
// and a session for every request.
type memoryStores struct {
	equityhttp.Sessions
	api.Index
	view *messages.View
	user organization.UserID
	held *captable.Shareholding
}

func (i *memoryStores) Load(*http.Request) (messages.Session, bool, error) {
	return messages.Session{SignIn: messages.SignIn{User: i.user}}, true, nil
}
func (*memoryStores) Refresh(http.ResponseWriter, messages.Session) {}
func (i *memoryStores) View(context.Context, organization.ID) (*messages.View, error) {
	return i.view, nil
}

func (i *memoryStores) ViewAt(context.Context, organization.ID, uint64) (*messages.View, error) {
	return i.view, nil
}

func (i *memoryStores) Do(context.Context, messages.Command) (messages.Reply, error) {
	return messages.Reply{Sequence: 3, Result: i.held}, nil
}

// discard is a response writer that discards its content.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header          { return d.header }
func (*discard) Write(text []byte) (int, error) { return len(text), nil }
func (*discard) WriteHeader(int)                {}

func newMemoryStores(tb testing.TB) (*equityhttp.Server, *memoryStores, string) {
	tb.Helper()
	i := &memoryStores{user: organization.UserID(apitest.NewID())}
	state, now := organization.NewState(), time.Now()
	id := organization.ID(apitest.NewID())
	entity := captable.EntityID(apitest.NewID())
	events, err := organization.Decide(state, organization.Create{
		ID: id, Profile: organization.Profile{Name: "Engines", Currency: "USD"},
		Creator: organization.Founder{User: i.user, Entity: entity, Name: "Ada"},
	}, organization.DecideContext{Now: now, NewID: apitest.NewID})
	if err != nil {
		tb.Fatal(err)
	}
	for n, event := range events {
		state.Apply(event, captable.Stamp{Sequence: uint64(n + 1), At: captable.InstantOf(now)})
	}
	i.view = &messages.View{State: state, Sequence: uint64(len(events)), RecordedAt: now}
	i.held = &captable.Shareholding{Issue: captable.Issue{
		ID: captable.ShareholdingID(apitest.NewID()), Entity: entity, Security: captable.SecurityID(apitest.NewID()),
		Shares:    exact.NewDecimal(10000),
		IssueDate: exact.MustDate("2024-03-15"), SerialNumber: 7,
		ShareholdingDetails: captable.ShareholdingDetails{ShareholderName: "Ada", Certificate: "CS-7"},
	}, Status: captable.StatusActive, Meta: captable.Meta{Version: 3}}
	off := apitest.AllFeatures()
	for name := range off {
		off[name] = false
	}
	server, err := equityhttp.NewServer(equityhttp.Settings{Features: off}, equityhttp.Services{
		Organizations: i, Index: i, Sessions: i, Replace: apitest.Unserved(tb), Log: slog.New(slog.DiscardHandler), Now: time.Now,
		NewID:  apitest.NewID,
		Random: rand.Reader,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return server, i, "/v1/organization/" + id.String()
}

const benchBody = `{"entity":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10","security":"01926f40-11d2-7a0b-8c6e-90b4d1f2a377",` +
	`"shares":"10000","issueDate":"2024-03-15","pricePerShare":"0.25","consideration":{"cash":"2500.00"},"issuanceType":"founders"}`

func benchmark(b *testing.B, method, path, body string, headers ...string) {
	b.Helper()
	server, _, home := newMemoryStores(b)
	b.ReportAllocs()
	for b.Loop() {
		r, err := http.NewRequestWithContext(context.Background(), method, home+path, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		server.ServeHTTP(&discard{http.Header{}}, r)
	}
}

func BenchmarkIssueThroughTheServer(b *testing.B) { benchmark(b, "POST", "/shareholding", benchBody) }

func BenchmarkIssueWithAKeyThroughTheServer(b *testing.B) {
	benchmark(b, "POST", "/shareholding", benchBody, "Idempotency-Key", "0a4de8b3-5d2a-4d0e-8b65-6d8b8f0a6a10")
}

func BenchmarkRefusedBody(b *testing.B) {
	benchmark(b, "POST", "/shareholding", strings.Replace(benchBody, `"10000"`, "10000", 1))
}

func BenchmarkCachedRead(b *testing.B) { benchmark(b, "GET", "/captable", "") }

// BenchmarkCertificate compares the rendering of a certificate with its reading from each store.
func BenchmarkCertificate(b *testing.B) {
	for name, store := range map[string]func() blob.Store{
		"rendered": nil, "folder": func() blob.Store { return blobtest.Folder(b) }, "S3": func() blob.Store { return blobtest.Service(b) },
	} {
		b.Run(name, func(b *testing.B) {
			var bundle *apitest.Server
			if store == nil {
				bundle = apitest.Setup(b, func(settings *equityhttp.Settings, services *equityhttp.Services) {
					settings.RenderedBytes, services.Certificates = 1, nil
				})
			} else {
				bundle = printingOn(b, store()).Server
			}
			f := bundle.NewFirm(b, "caller@example.com")
			held := f.Issue(b, f.NewHolder(b, "Ada"), "10")
			f.Must(b, "GET", held+"/certificate", "", http.StatusOK)
			var times []time.Duration
			for b.Loop() {
				begin := time.Now()
				f.Must(b, "GET", held+"/certificate", "", http.StatusOK)
				times = append(times, time.Since(begin))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "median-ms")
		})
	}
}
