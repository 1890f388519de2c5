package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/mattermost/mattermost/server/public/model"

	"equity/actors/consumer"
	"equity/egress"
)

// The limits of a call.
const (
	callTime   = 10 * time.Second
	mostAnswer = 4 << 20
	// mostProblem bounds the answer of a failed call, which becomes a part of its error.
	mostProblem = 4 << 10
	// pageSize is the number of records in one answer.
	pageSize = 200
)

// server makes calls to the chat server as its administrator. It is safe for concurrent use.
type server struct {
	*model.Client4
	http *http.Client

	mu sync.Mutex
	me *model.User // nil before the first answer
}

// newServer returns the server at the URL. Calls end after 10 seconds, follow no redirect and use the circuit breaker of the host.
func newServer(address, token string, breakers *consumer.Breakers, now func() time.Time) (*server, error) {
	if _, err := url.Parse(address); err != nil {
		return nil, fmt.Errorf("chat server: %w", err)
	}
	base := &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 16, MaxConnsPerHost: 64, IdleConnTimeout: time.Minute,
		TLSHandshakeTimeout: callTime, ResponseHeaderTimeout: callTime,
	}
	s := &server{http: egress.NewClient(bounded{&consumer.Transport{Breakers: breakers, Base: base}, now}, callTime)}
	s.Client4 = s.as(address, token)
	return s, nil
}

// as returns a client with another token.
func (s *server) as(address, token string) *model.Client4 {
	client := model.NewAPIv4Client(address)
	client.HTTPClient = s.http
	client.SetToken(token)
	return client
}

// bot returns the account of the server's token.
func (s *server) bot(ctx context.Context) (*model.User, error) {
	s.mu.Lock()
	me := s.me
	s.mu.Unlock()
	if me != nil {
		return me, nil
	}
	me, _, err := s.GetMe(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("read the account of CHAT_ADMIN_BOT_TOKEN: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.me = me
	return me, nil
}

// bounded limits the answers of a transport, and converts refusals of too many requests into errors.
type bounded struct {
	http.RoundTripper
	now func() time.Time
}

// RoundTrip makes one request.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusTooManyRequests {
		_ = answer.Body.Close()
		return nil, consumer.Postpone(errBusy, consumer.RetryAfter(answer.Header, b.now()))
	}
	limit := int64(mostAnswer)
	if answer.StatusCode >= http.StatusMultipleChoices {
		limit = mostProblem
	}
	body := answer.Body
	answer.Body = limited{io.LimitReader(body, limit), body}
	if answer.StatusCode >= http.StatusMultipleChoices {
		return answer, nil
	}
	defer func() { _ = body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if !complete(text) {
		return nil, errIncomplete
	}
	answer.Body = io.NopCloser(bytes.NewReader(text))
	return answer, nil
}

// complete reports whether a successful answer has a field that each record of the chat server has. A list, and an answer that is no JSON, have none.
func complete(answer []byte) bool {
	var record *struct {
		ID      string `json:"id"`
		Account string `json:"user_id"` // of a membership
		Status  string `json:"status"`  // of an answer without a record
	}
	return json.Unmarshal(answer, &record) != nil || record != nil && record.ID+record.Account+record.Status != ""
}

var errIncomplete = errors.New("an answer of the chat server lacks the fields of a record")

var errBusy = errors.New("the chat server received too many requests")

// limited is a body with a limit.
type limited struct {
	io.Reader
	io.Closer
}

// The errors of the chat server that are expected.
const (
	errorEmailExists    = "app.user.save.email_exists.app_error"
	errorUsernameExists = "app.user.save.username_exists.app_error"
	errorTeamExists     = "store.sql_team.save_team.existing.app_error"
	errorChannelExists  = "store.sql_channel.save_channel.exists.app_error"
	errorTeamFull       = "app.team.join_user_to_team.max_accounts.app_error"
	errorTeamFilled     = "app.team.join_user_to_team.save_member.max_accounts.app_error" // of a concurrent addition
	errorMemberExists   = "app.team.join_user_to_team.save_member.conflict.app_error"
)

// has reports whether the chat server refused the call with the id.
func has(err error, id string) bool {
	refusal, is := errors.AsType[*model.AppError](err)
	return is && refusal.Id == id
}

// statusOf returns the status of a refusal; 0 without an answer.
func statusOf(err error) int {
	if refusal, is := errors.AsType[*model.AppError](err); is {
		return refusal.StatusCode
	}
	return 0
}

// isMissing reports whether the chat server does not know the object.
func isMissing(err error) bool { return statusOf(err) == http.StatusNotFound }
