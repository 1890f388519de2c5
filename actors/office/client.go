package office

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"equity/actors/consumer"
)

// The limits of calls.
const (
	callTime     = 10 * time.Second
	transferTime = 60 * time.Second
	mostAnswer   = 4 << 20
	mostProblem  = 16 << 10
	// mostTries and longestWait bound the attempts of a call, and the time between them.
	mostTries   = 3
	longestWait = 10 * time.Second
)

// Client makes calls to a drive of the office suite. It is safe for concurrent use.
//
// Its methods return a refusal of this package, or one with [fault.Unavailable] if the office suite cannot be used at the moment.
type Client struct {
	// transport follows no redirection, and its errors contain no address.
	transport http.RoundTripper
	tokens    *tokens
	// api is the address of the API, and root that of the drive.
	api   *url.URL
	root  string
	drive string
	now   func() time.Time
	pause func(ctx context.Context, d time.Duration) error
	// callTime bounds a call, and transferTime the time of a transfer without progress.
	callTime, transferTime time.Duration
}

// NewClient returns a client. It makes no call. Pause waits between two attempts of a call.
func NewClient(
	app App, breakers *consumer.Breakers, now func() time.Time, pause func(ctx context.Context, d time.Duration) error,
) *Client {
	base := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 16,
		IdleConnTimeout: time.Minute, TLSHandshakeTimeout: callTime,
	}
	transport := &consumer.Transport{Breakers: breakers, Base: base}
	api, err := url.Parse(strings.TrimSuffix(app.URL, "/"))
	if err != nil {
		api = &url.URL{} // calls fail, because it has no host
	}
	return &Client{
		transport: transport, tokens: newTokens(app, transport, now), api: api, root: api.String() + "/drives/" + escaped(app.DriveID),
		drive: app.DriveID, now: now, pause: pause, callTime: callTime, transferTime: transferTime,
	}
}

// Ping reads the drive. Its error describes the refusal.
func (c *Client) Ping(ctx context.Context) error {
	return c.exchange(ctx, "read the drive", http.MethodGet, c.root+"/root", "", nil, nil)
}

// escaped returns the text as a part of a path. Only the characters that are valid everywhere in an address remain.
func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// item returns the address of the item with the id.
func (c *Client) item(id string) (string, error) {
	if id == "" || id == "." || id == ".." {
		return "", ErrNotFound
	}
	return c.root + "/items/" + escaped(id), nil
}

// named returns the address of the item with the name in the folder.
func (c *Client) named(folder, name string) (string, error) {
	address, err := c.item(folder)
	return address + ":/" + escaped(name) + ":", err
}

// exchange makes a call with a JSON body, and reads the answer into the value. Both may be nil.
func (c *Client) exchange(ctx context.Context, operation, method, address, eTag string, body, into any) error {
	var packed []byte
	if body != nil {
		var err error
		if packed, err = json.Marshal(body); err != nil {
			return fmt.Errorf("office suite: %s: %w", operation, err)
		}
	}
	return c.repeat(ctx, operation, func() bool { return true }, func(token string) error {
		ctx, cancel := context.WithTimeout(ctx, c.callTime)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(packed))
		if err != nil {
			return errAddress
		}
		if body != nil {
			request.Header.Set("Content-Type", "application/json")
		}
		if eTag != "" {
			request.Header.Set("If-Match", eTag)
		}
		answer, err := c.send(request, token)
		if err != nil {
			return err
		}
		defer func() { _ = answer.Body.Close() }()
		return read(answer, into)
	})
}

// send makes a request of the API, and returns its answer unless it is an error. It may be a redirection.
func (c *Client) send(request *http.Request, token string) (*http.Response, error) {
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := c.transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= http.StatusBadRequest {
		defer func() { _ = answer.Body.Close() }()
		err := refused(answer, codes(answer), c.now())
		if answer.StatusCode == http.StatusUnauthorized {
			c.tokens.discard(token)
			err = &tokenError{err}
		}
		return nil, err
	}
	return answer, nil
}

// tokenError reports that the API refused the access token.
type tokenError struct{ cause error }

// Error describes the failure.
func (e *tokenError) Error() string { return e.cause.Error() }

// Unwrap returns the refusal.
func (e *tokenError) Unwrap() error { return e.cause }

// read reads a JSON answer into the value, which may be nil.
func read(answer *http.Response, into any) error {
	switch {
	case answer.StatusCode >= http.StatusMultipleChoices:
		return &StatusError{Status: answer.StatusCode}
	case into == nil:
		return nil
	}
	limited := &io.LimitedReader{R: answer.Body, N: mostAnswer}
	err := json.NewDecoder(limited).Decode(into)
	switch {
	case err == nil:
		return nil
	case limited.N <= 0:
		return fmt.Errorf("%w: it has more than %d bytes", errAnswer, mostAnswer)
	}
	if _, network := errors.AsType[net.Error](err); network || errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return errAnswer
}

// repeat makes attempts of a call until one succeeds or is refused. A refused token is replaced once. A busy office suite is called
// again after its Retry-After, or after a back-off without one. Rewind prepares the next attempt, and reports whether it is possible.
func (c *Client) repeat(ctx context.Context, operation string, rewind func() bool, attempt func(token string) error) error {
	var waited time.Duration
	renewed := false
	for tries := 1; ; {
		err := c.attempt(ctx, attempt)
		if err == nil {
			return nil
		}
		if _, stale := errors.AsType[*tokenError](err); stale && !renewed && rewind() {
			renewed = true
			continue
		}
		busy, isBusy := errors.AsType[*busyError](err)
		if !isBusy || tries == mostTries {
			return c.failure(ctx, operation, err)
		}
		wait := busy.after.Sub(c.now())
		if busy.after.IsZero() || wait <= 0 {
			wait = consumer.Delay(tries)
		}
		if waited += wait; waited > longestWait || ends(ctx, wait) || !rewind() {
			return c.failure(ctx, operation, err)
		}
		if err := c.pause(ctx, wait); err != nil {
			return c.failure(ctx, operation, err)
		}
		tries++
	}
}

// attempt makes one attempt with a valid token.
func (c *Client) attempt(ctx context.Context, attempt func(token string) error) error {
	limited, cancel := context.WithTimeout(ctx, c.callTime)
	defer cancel()
	token, err := c.tokens.get(limited)
	if err != nil {
		return err
	}
	return attempt(token)
}

// ends reports whether the context ends within the duration.
func ends(ctx context.Context, d time.Duration) bool {
	deadline, bounded := ctx.Deadline()
	return bounded && time.Until(deadline) < d
}
