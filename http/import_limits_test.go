package http_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/http/member"
	"equity/persistence/storetest"
)

// limited starts a server with other limits of imports.
func limited(t *testing.T, imports member.ImportSettings) (*apitest.Client, string) {
	t.Helper()
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Imports = imports })
	owner := b.NewPerson(t, "owner@example.com")
	return owner, owner.NewOrganization(t) + "/import"
}

func TestLimitsOfImportsAreSettings(t *testing.T) {
	t.Parallel()
	const rows = "fullName\nAda Lovelace\nGrace Hopper\n"
	for claim, c := range map[string]struct {
		imports member.ImportSettings
		status  int
	}{
		"rows within":  {member.ImportSettings{Rows: 2}, http.StatusCreated},
		"rows beyond":  {member.ImportSettings{Rows: 1}, http.StatusBadRequest},
		"bytes within": {member.ImportSettings{FileBytes: int64(len(rows))}, http.StatusCreated},
		"bytes beyond": {member.ImportSettings{FileBytes: int64(len(rows)) - 1}, http.StatusRequestEntityTooLarge},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			owner, path := limited(t, c.imports)
			owner.Must(t, "POST", path+"?kind=members", rows, c.status, "Content-Type", "text/csv")
		})
	}
}

func TestPackageBeyondALimitOfTheSettingsIsRefused(t *testing.T) {
	t.Parallel()
	for claim, imports := range map[string]member.ImportSettings{
		"objects": {PackageObjects: 1}, "bytes": {PackageBytes: 100},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			source := apitest.Setup(t).NewPerson(t, "owner@example.com")
			home := source.NewOrganization(t)
			for _, name := range []string{"Ada Lovelace", "Grace Hopper"} {
				source.Must(t, "POST", home+"/member", `{"fullName":"`+name+`","roles":[]}`, http.StatusCreated)
			}
			packed := source.Must(t, "GET", home+"/captable?format=ocf", "", http.StatusOK)
			owner, path := limited(t, imports)
			got := owner.Must(t, "POST", path, packed.Body, http.StatusBadRequest, "Content-Type", "application/zip")
			if !strings.Contains(got.Body, "tooMany") && !strings.Contains(got.Body, "tooLarge") {
				t.Errorf("%s", got.Body)
			}
		})
	}
}

// TestRefusedUploadsAreAnsweredOnTheirConnections sends large bodies over sockets, all at once.
func TestRefusedUploadsAreAnsweredOnTheirConnections(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	path := owner.NewOrganization(t) + "/import?kind=members"
	listening := httptest.NewServer(b.HTTP)
	storetest.Cleanup(t, listening.Close)
	hostile := strings.Repeat(",", 19<<20)
	var wait sync.WaitGroup
	for claim, c := range map[string]struct {
		path, body, kind, cookie string
		statuses                 []int
	}{
		"commas of a caller":         {path, hostile, "text/csv", owner.Cookie, []int{400, 429}},
		"commas of the same caller":  {path, hostile, "text/csv", owner.Cookie, []int{400, 429}},
		"a third of the same caller": {path, hostile, "text/csv", owner.Cookie, []int{400, 429}},
		"beyond the limit":           {path, hostile + hostile, "text/csv", owner.Cookie, []int{413, 429}},
		"without a session":          {path, hostile, "text/csv", "", []int{401}},
		"of another media type":      {path, hostile, "image/png", owner.Cookie, []int{415, 429}},
		"into nowhere": {
			"/v1/organization/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10/import", hostile, "text/csv", owner.Cookie, []int{404, 429},
		},
	} {
		wait.Go(func() {
			r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, listening.URL+c.path, io.MultiReader(strings.NewReader(c.body)))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", c.kind)
			r.Header.Set("Cookie", c.cookie)
			r.ContentLength = int64(len(c.body))
			got, err := listening.Client().Do(r)
			if err != nil {
				t.Errorf("%s: %v", claim, err)
				return
			}
			defer func() { _ = got.Body.Close() }()
			if !slices.Contains(c.statuses, got.StatusCode) {
				t.Errorf("%s: %d", claim, got.StatusCode)
			}
		})
	}
	wait.Wait()
}
