package mcp

import (
	"context"
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"equity/messages"
)

// Limits of the answer to a search.
const (
	maxFound      = 8
	maxFoundBytes = 40 << 10
)

// search returns the tool that searches tools.
func search() *sdk.Tool {
	closed := false
	return &sdk.Tool{
		Name: searchTool, Title: "Search tools",
		Description: "The list has only the most common tools. Search all of them by words, such as \"vesting schedule\" or \"void shares\". " +
			"The answer has at most 8 tools with the schemas of their arguments, the best first. Call them with " + callTool + ".",
		InputSchema: json.RawMessage(`{"type":"object","required":["query"],"additionalProperties":false,` +
			`"properties":{"query":{"type":"string","description":"English words for the record and the action."}}}`),
		Annotations: &sdk.ToolAnnotations{Title: "Search tools", ReadOnlyHint: true, OpenWorldHint: &closed},
	}
}

// indirection returns the tool that calls a tool that was found. A change is only proposed by it.
func indirection(changes bool) *sdk.Tool {
	destructive, closed := changes, false
	return &sdk.Tool{
		Name: callTool, Title: "Call a found tool",
		Description: "Call a tool that " + searchTool + " returned. It answers like the tool itself.",
		InputSchema: json.RawMessage(`{"type":"object","required":["name","arguments"],"additionalProperties":false,"properties":{` +
			`"name":{"type":"string","description":"The name of the tool."},` +
			`"arguments":{"type":"object","description":"The arguments, as the inputSchema of the tool requires."}}}`),
		Annotations: &sdk.ToolAnnotations{
			Title: "Call a found tool", ReadOnlyHint: !changes, DestructiveHint: &destructive, OpenWorldHint: &closed,
		},
	}
}

// find returns the tools of the caller that match a query.
func (c caller) find(ctx context.Context, arguments json.RawMessage) (sdk.Result, error) {
	var given struct {
		Query string `json:"query"`
	}
	if !decode(arguments, &given) || strings.TrimSpace(given.Query) == "" {
		return invalid(`{"query": "<words>"}`), nil
	}
	all, err := c.tools.Tools(ctx)
	if err != nil {
		return c.refused(err), nil
	}
	found, bytes := []json.RawMessage{}, 0
	best := messages.MatchTools(all, given.Query, maxFound)
	for i := range best {
		text, err := c.text(&best[i])
		if err != nil {
			return nil, err
		}
		if bytes += len(text); bytes > maxFoundBytes {
			break
		}
		found = append(found, text)
	}
	if !c.size.add(2 * bytes) {
		return c.refused(errTooLarge()), nil
	}
	return structured(map[string]any{"tools": found}, false), nil
}
