package processtest_test

import (
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"

	"equity/cmd/equity/processtest"
)

// TestLinkOfNodesOutlastsItsTraffic sends 2 MB over the connection to a node. Its encrypted bytes are like random ones, so that each pattern of two
// or three bytes occurs in them.
func TestLinkOfNodesOutlastsItsTraffic(t *testing.T) {
	t.Parallel()
	link, node := processtest.StartCluster(t, processtest.ClusterServices(t), 1, nil).Link(t, 0)
	connections := 0
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if !info.Reused {
			connections++
		}
	}})
	for range 250 {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://node/cluster/alive", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Padding", strings.Repeat("x", 8<<10))
		response, err := link.Send(node, request, true)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusNoContent {
			t.Fatalf("status %d %s", response.StatusCode, text)
		}
	}
	if connections != 1 {
		t.Errorf("the requests needed %d connections", connections)
	}
}
