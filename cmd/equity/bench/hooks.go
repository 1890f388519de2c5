package bench

import (
	"context"
	"fmt"
	"net/http"
)

const (
	hookCallers   = 256
	hookCompanies = 16
	// Hooks is the limit of hooks of an organization in a minute, in place of that of the server.
	Hooks = 1_000_000_000
	// hooksReach is the number of hooks that two processors have to store in a second.
	hooksReach = "≥ 5000"
)

// hooks measures the acceptance of hooks. Each answer follows the commit of the hook.
func (p pair) hooks(ctx context.Context, a *api) ([]row, error) {
	tokens := make([]string, hookCompanies)
	for i := range tokens {
		of, err := a.newCompany(ctx, 1)
		if err != nil {
			return nil, err
		}
		var made struct {
			Token string `json:"token"`
		}
		if err := a.post(ctx, "/v1/organization/"+of.id+"/hook-token", map[string]any{"name": "Bench"}, &made); err != nil {
			return nil, err
		}
		tokens[i] = made.Token
	}
	var rows []row
	for _, kind := range []struct {
		what, path, body string
		status           int
	}{
		{"events", "/hooks/wake", `{"text":"The build of the main branch has failed in step 3.","mode":"now"}`, http.StatusOK},
		{"runs", "/hooks/agent", `{"message":"Summarize the new round.","name":"Build","sessionKey":"hook:build"}`, http.StatusAccepted},
	} {
		var rates []float64
		for range p.rounds {
			sent, err := load(ctx, p.addresses.Server, hookCallers, p.duration, kind.status, func(caller int) request {
				return newRequest(
					"POST", kind.path, p.addresses.Server, "", []byte(kind.body), "X-Service-Token: "+tokens[caller%len(tokens)],
				)
			})
			if err != nil {
				return nil, err
			}
			rates = append(rates, sent.rate())
		}
		rows = append(rows, row{
			what: fmt.Sprintf("durable hooks that request %s, %d callers, %d organizations", kind.what, hookCallers, hookCompanies),
			ours: median(rates), unit: "hooks/s", reach: hooksReach,
		})
	}
	return rows, nil
}
