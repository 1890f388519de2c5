package provider

import (
	"net/http"
	"time"
)

// paced delays failed answers, because the library repeats a failed registration at once.
type paced struct{ next http.RoundTripper }

const pace = time.Second

// RoundTrip sends the request.
func (p paced) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := p.next.RoundTrip(request)
	if err == nil && response.StatusCode < http.StatusBadRequest {
		return response, nil
	}
	pause := time.NewTimer(pace)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-request.Context().Done():
	}
	return response, err
}
