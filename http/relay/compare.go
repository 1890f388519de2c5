package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"equity/messages"
)

// pathCompare is the question about the settings that all nodes must share.
const pathCompare = "/cluster/compare"

// longestComparison bounds the answer in bytes.
const longestComparison = 4096

// ErrNotCompared reports a node that is reached, but does not compare settings, such as one of an earlier build.
var ErrNotCompared = errors.New("the node does not compare settings")

// Compare returns the names of the settings whose fingerprints differ at the node, in order.
func (c *Client) Compare(ctx context.Context, to messages.Node, fingerprints map[string]string) (different []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, questionWithin)
	defer cancel()
	query := url.Values{}
	for name, fingerprint := range fingerprints {
		query.Set(name, fingerprint)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+to.Address+pathCompare+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("ask node: %w", err)
	}
	response, err := c.requests.RoundTrip(request)
	if err != nil {
		return nil, fmt.Errorf("ask node: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, longestComparison))
	_ = response.Body.Close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("ask node: %w", err)
	case response.StatusCode == http.StatusNoContent:
		return nil, nil
	case response.StatusCode == http.StatusConflict:
		return strings.Fields(string(text)), nil
	default:
		return nil, fmt.Errorf("%w: status %d", ErrNotCompared, response.StatusCode)
	}
}

// compare answers with the names of the settings that differ from those of this node.
func (n Node) compare(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	var different []string
	for _, name := range slices.Sorted(maps.Keys(n.Fingerprints)) {
		if asked.Has(name) && asked.Get(name) != n.Fingerprints[name] {
			different = append(different, name)
		}
	}
	if len(different) == 0 {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusConflict)
	_, _ = io.WriteString(w, strings.Join(different, "\n"))
}
