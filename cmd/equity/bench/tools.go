package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// toolCompanies is the number of organizations that share the calls, because each keeps a log of its recent calls.
	toolCompanies = 16
	// ToolCalls is the limit of calls of tools in a minute, in place of that of the server.
	ToolCalls = "1000000"
	// overheadReach and listReach are the longest times in milliseconds.
	overheadReach = "≤ 1"
	listReach     = "≤ 5"
)

// tools measures calls of tools by one caller, each against the same operation called directly, in turn.
func (p pair) tools(ctx context.Context, a *api) ([]row, error) {
	companies := make([]string, toolCompanies)
	for i := range companies {
		made, err := a.newCompany(ctx, 1)
		if err != nil {
			return nil, err
		}
		companies[i] = made.id
	}
	var program struct {
		Token string `json:"token"`
	}
	scopes := []string{"read", "write", "destructive"}
	if err := a.post(
		ctx, "/v1/user/token", map[string]any{"name": "Bench", "scopes": scopes, "organization": companies[0]}, &program,
	); err != nil {
		return nil, err
	}
	called := rpc("tools/call", map[string]any{"name": "getDashboard", "arguments": map[string]any{}})
	kinds := map[string]func(i int) toolRequest{
		"direct": func(i int) toolRequest {
			return toolRequest{path: "/v1/captable/" + companies[i%len(companies)] + "/dashboard"}
		},
		"answer": func(i int) toolRequest { return chatMessage(companies[i%len(companies)], "help") },
		"tool":   func(i int) toolRequest { return chatMessage(companies[i%len(companies)], "show the dashboard") },
		"call":   func(int) toolRequest { return toolRequest{path: "/mcp", token: program.Token, body: called} },
		"list": func(int) toolRequest {
			return toolRequest{path: "/mcp", token: program.Token, body: rpc("tools/list", map[string]any{})}
		},
	}
	times := map[string][]float64{}
	for range p.rounds {
		for _, kind := range []string{"direct", "answer", "tool", "call", "list"} {
			took, err := a.latency(ctx, p.duration, kinds[kind])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kind, err)
			}
			times[kind] = append(times[kind], took)
		}
	}
	listed, err := a.count(ctx, kinds["list"](0), `"inputSchema"`)
	if err != nil {
		return nil, err
	}
	direct, answer, tool := median(times["direct"]), median(times["answer"]), median(times["tool"])
	return []row{
		{
			what: "message to the assistant with one call of a tool, embedded provider, 1 caller", ours: tool, theirs: direct, unit: "ms",
			figure: tool / direct,
		},
		{
			what: "overhead of a call within a message over the operation called directly", ours: tool - answer - direct, unit: "ms",
			reach: overheadReach,
		},
		{
			what: "overhead of a call over MCP over the operation called directly", ours: median(times["call"]) - direct, unit: "ms",
			reach: overheadReach,
		},
		{what: fmt.Sprintf("list of %d tools over MCP", listed), ours: median(times["list"]), unit: "ms", reach: listReach},
	}, nil
}

// toolRequest is a request; a GET without a body.
type toolRequest struct {
	path, token string
	body        []byte
}

// rpc returns a message of the Model Context Protocol.
func rpc(method string, params any) []byte {
	text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) //nolint:errchkjson // texts
	return text
}

// chatMessage returns a message to the assistant, in a new conversation.
func chatMessage(company, message string) toolRequest {
	text, _ := json.Marshal(map[string]string{"organization": company, "message": message}) //nolint:errchkjson // texts
	return toolRequest{path: "/v1/agent/chat", body: text}
}

// latency returns the median time of requests that follow each other, in milliseconds.
func (a *api) latency(ctx context.Context, d time.Duration, next func(i int) toolRequest) (float64, error) {
	var took []float64
	for i, end := 0, time.Now().Add(d); len(took) == 0 || time.Now().Before(end); i++ {
		begin := time.Now()
		if _, err := a.ask(ctx, next(i)); err != nil {
			return 0, err
		}
		took = append(took, float64(time.Since(begin).Microseconds())/1000)
	}
	return median(took), nil
}

// count returns how often the text occurs in the answer.
func (a *api) count(ctx context.Context, r toolRequest, text string) (int, error) {
	answer, err := a.ask(ctx, r)
	return bytes.Count(answer, []byte(text)), err
}

// ask sends a request, and returns the body of its answer. An error of the protocol is an error.
func (a *api) ask(ctx context.Context, r toolRequest) ([]byte, error) {
	method := http.MethodGet
	if r.body != nil {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, a.base+r.path, bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
		request.Header.Set("Accept", "application/json, text/event-stream")
		request.Header.Set("MCP-Protocol-Version", "2025-11-25")
	}
	response, err := a.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || bytes.Contains(body, []byte(`"isError":true`)) || bytes.Contains(body, []byte(`"error":{"code"`))) {
		err = fmt.Errorf("%s %s: status %d: %.300s", method, r.path, response.StatusCode, body)
	}
	return body, err
}
