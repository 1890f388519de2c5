// Package egress makes the clients of HTTP services outside of this program: language models, billing, team chat, cloud drives, office suites,
// identity providers, webhooks, collectors of traces and time stamp authorities.
//
// Their requests contain keys, tokens or prompts. A redirect would send them to an address that the operator did not configure, so that no
// client follows one. A test refuses other clients in this module.
package egress

import (
	"net/http"
	"time"
)

// NewClient returns a client that follows no redirect: the caller gets the answer with its status. A nil transport is that of the standard
// library. A timeout of 0 is none; the contexts of the requests then bound them.
func NewClient(transport http.RoundTripper, timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: transport, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
