package http_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
	"equity/messages"
)

// errInterrupted is the error of a store whose query was interrupted. It does not say that the caller left.
var errInterrupted = errors.New("interrupted (9)")

// leavingGrants are grants whose reader waits until the caller left.
type leavingGrants struct {
	equityhttp.AccessTokens
	reached chan<- struct{}
}

func (l leavingGrants) Client(ctx context.Context, _ messages.OAuthClientID) (messages.OAuthClient, error) {
	l.reached <- struct{}{}
	<-ctx.Done()
	return messages.OAuthClient{}, errInterrupted
}

// Each part of the server that works for a request fails in its own words when the caller leaves.
func TestAbortedRequestsAreNoErrors(t *testing.T) {
	t.Parallel()
	reached := make(chan struct{}, 1)
	waits := func(ctx context.Context, _ *api.Call) (api.Answer, error) { //nolint:unparam // the form of a handler
		reached <- struct{}{}
		<-ctx.Done()
		return api.Answer{}, errInterrupted
	}
	breaks := func(ctx context.Context, _ *api.Call) (api.Answer, error) { //nolint:unparam // the form of a handler
		return api.Answer{ContentType: "text/csv", Stream: func(w io.Writer) error {
			_, _ = io.WriteString(w, "begun")
			reached <- struct{}{}
			<-ctx.Done()
			return errInterrupted
		}}, nil
	}
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.AccessTokens = leavingGrants{s.AccessTokens, reached}
		s.Replace = map[string]api.Handler{
			"listOrganizations": waits, "listOwnHoldings": breaks, "sendShareCode": waits, "listReceivedInvitations": waits,
		}
	})
	ada := b.NewPerson(t, "ada@example.com")
	o := newOAuthClient(t, ada)
	form, text := "application/x-www-form-urlencoded", "application/json"
	for claim, c := range map[string]struct{ method, path, body, kind string }{
		"an operation":     {"GET", "/v1/organization", "", ""},
		"a stream":         {"GET", "/v1/holding", "", ""},
		"a query":          {"POST", "/v1/query", `{"queries":[{"id":"a","operation":"listReceivedInvitations"}]}`, text},
		"a page":           {"POST", "/share/x", "do=send", form},
		"an authorization": {"GET", "/oauth/authorize?" + o.query().Encode(), "", ""},
		"a token":          {"POST", "/oauth/token", o.byRefresh("x").Encode(), form},
	} {
		ctx, leave := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Cookie", ada.Cookie)
		ended := make(chan struct{})
		before := len(b.Log.String())
		go func() {
			defer close(ended)
			defer func() {
				if reason := recover(); reason != nil && reason != http.ErrAbortHandler { //nolint:errorlint,err113 // as in net/http
					panic(reason)
				}
			}()
			b.HTTP.ServeHTTP(httptest.NewRecorder(), r)
		}()
		select {
		case <-reached:
		case <-ended:
			t.Errorf("%s was answered: %s", claim, b.Log.String()[before:])
		}
		leave()
		<-ended
		if lines := b.Log.String()[before:]; strings.Contains(lines, "level=ERROR") {
			t.Errorf("%s: %s", claim, lines)
		}
	}
}
