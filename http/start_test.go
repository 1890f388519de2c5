package http_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
)

// small is a contract with two operations.
const small = `
openapi: 3.0.3
info: {title: Small, version: "1"}
tags: [{name: moon, x-title: Moon, description: x}]
paths:
  /moon:
    get:
      operationId: lookAtTheMoon
      tags: [moon]
      x-permission: public
      x-feature: astronomy
      responses: {"200": {description: x}}
  /moon/gate:
    get:
      operationId: passTheGate
      tags: [moon]
      x-permission: gateway
      responses: {"200": {description: x}}
components: {schemas: {}}
`

// start creates a server with the small contract, after the given replacements.
func start(features map[string]bool, changes ...string) (*equityhttp.Server, error) {
	fine := func(context.Context, *api.Call) (api.Answer, error) { return api.Answer{}, nil }
	handlers := map[string]api.Handler{"lookAtTheMoon": fine, "passTheGate": fine}
	return equityhttp.NewServerOf([]byte(strings.NewReplacer(changes...).Replace(small)),
		equityhttp.Settings{Features: features, GatewayToken: "open sesame"},
		equityhttp.Services{Log: slog.New(slog.DiscardHandler), Now: time.Now, NewID: apitest.NewID, Random: rand.Reader}, handlers)
}

func TestServerRefusesInvalidContracts(t *testing.T) {
	t.Parallel()
	on := map[string]bool{"astronomy": true}
	for claim, c := range map[string]struct {
		features map[string]bool
		changes  []string
		want     string
	}{
		"without a permission":         {on, []string{"      x-permission: public\n", ""}, `lookAtTheMoon has the unknown permission ""`},
		"with an unknown permission":   {on, []string{"x-permission: public", "x-permission: canFly"}, `unknown permission "canFly"`},
		"with an unknown feature":      {nil, nil, `unknown feature "astronomy"`},
		"with an unknown kind of tool": {on, []string{"x-feature", "x-agent: dance\n      x-feature"}, `unknown x-agent "dance"`},
		"with a tool of 1,025 characters": {on, []string{
			"x-feature", "x-agent: read\n      summary: Look\n      description: " + strings.Repeat("x", 1019) + "\n      x-feature",
		}, "1025 characters; at most 1024"},
		"with an operation without handler": {on, []string{"operationId: passTheGate", "operationId: passAnother"}, "passAnother has no handler"},
		"with a handler without operation": {
			on, []string{"operationId: passTheGate", "operationId: passAnother"}, "handler passTheGate has no operation",
		},
		"with a duplicate operation": {on, []string{"operationId: passTheGate", "operationId: lookAtTheMoon"}, "declared twice"},
		"with malformed YAML":        {on, []string{"openapi: 3.0.3", "]"}, "contract"},
		"with a schema it cannot check": {on, []string{
			"x-permission: public", "x-permission: public\n      requestBody: {content: {application/json: {schema: {not: {type: string}}}}}",
		}, "unsupported keyword"},
		"with a body it cannot read": {on, []string{
			"x-permission: public", "x-permission: public\n      requestBody: {content: {text/plain: {schema: {type: string}}}}",
		}, "no body of type text/plain"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			if _, err := start(c.features, c.changes...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestFeatureSwitchHidesOperation(t *testing.T) {
	t.Parallel()
	for on, status := range map[bool]int{true: http.StatusOK, false: http.StatusNotFound} {
		server, err := start(map[string]bool{"astronomy": on})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/v1/moon", nil))
		if w.Code != status || !on && !strings.Contains(w.Body.String(), "This path does not exist") {
			t.Errorf("switched on %t: %d %s", on, w.Code, w.Body)
		}
	}
}

func TestGatewayRequiresItsToken(t *testing.T) {
	t.Parallel()
	server, err := start(map[string]bool{"astronomy": true})
	if err != nil {
		t.Fatal(err)
	}
	for header, status := range map[string]int{
		"": 401, "Bearer ": 401, "Bearer open": 401, "open sesame": 401, "Bearer open sesame": 200,
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/moon/gate", nil)
		r.Header.Set("Authorization", header)
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%q: %d", header, w.Code)
		}
	}
}
