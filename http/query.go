package http

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"equity/captable"
)

// queryHandlers is the table of what asks several questions.
func (s *Server) queryHandlers() map[string]Handler {
	return map[string]Handler{"query": s.query}
}

// question is one of several.
type question struct {
	ID         string                     `json:"id"`
	Operation  string                     `json:"operation"`
	Parameters map[string]json.RawMessage `json:"parameters"`
}

// questionAnswer is the answer to one.
type questionAnswer struct {
	ID     string          `json:"id"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// mostAnswered is how many bytes all answers together may have.
const mostAnswered = 20 << 20

// queryTime bounds the total work of a query. The longest single question takes about 2 s.
const queryTime = 5 * time.Second

// query runs several read operations in one request, each as if it were sent alone. They share a
// limit of bytes and a limit of time. A question beyond a limit is refused by itself. The first
// question always runs.
func (s *Server) query(ctx context.Context, c *Call) (Answer, error) {
	asked, err := decode[struct {
		Queries []question `json:"queries"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.checkQuestions(c, asked.Queries); err != nil {
		return Answer{}, err
	}
	results, room := make([]questionAnswer, 0, len(asked.Queries)), mostAnswered
	begin, allowed := time.Now(), cmp.Or(s.settings.QueryTime, queryTime)
	for i := range asked.Queries {
		q := &asked.Queries[i]
		if i > 0 && time.Since(begin) >= allowed {
			results = append(results, s.told(c, q, Answer{}, errQueryTimeUsed()))
			continue
		}
		answer, failure := s.ask(ctx, c, q)
		if ctx.Err() != nil {
			return Answer{}, fmt.Errorf("query %s: %w", q.ID, ctx.Err())
		}
		told := s.told(c, q, answer, failure)
		if len(told.Body) > room {
			told = s.told(c, q, Answer{}, captable.Refuse(codeTooLarge, "The other answers left no room for this one. Ask it alone."))
		}
		room -= len(told.Body)
		results = append(results, told)
	}
	return Answer{Private: true, Record: struct {
		Results []questionAnswer `json:"results"`
	}{results}}, nil
}

func errQueryTimeUsed() error {
	return captable.Refuse(codeQueryTimeUsed, "The query has used its time. Send this question alone.")
}

// checkQuestions refuses what cannot be asked at all, before anything is.
func (s *Server) checkQuestions(c *Call, asked []question) error {
	var faults captable.Faults
	ids := map[string]bool{}
	for i := range asked {
		q, at := &asked[i], "/queries/"+strconv.Itoa(i)
		if ids[q.ID] {
			faults.Add(at+"/id", "duplicate", "Another question has this id.")
		}
		ids[q.ID] = true
		switch op := s.operations[q.Operation]; {
		case op == nil || op.off:
			faults.Add(at+"/operation", "unknownReference", "There is no such operation.")
		case op == c.operation:
			faults.Add(at+"/operation", "nested", "A query cannot ask another.")
		case !op.reads():
			faults.Add(at+"/operation", "notARead", "The operation changes something. Send it as a request of its own.")
		case op.onlyFiles:
			faults.Add(at+"/operation", "answersAFile", "The operation answers with a file. Send it as a request of its own.")
		}
	}
	return wrongFields(faults)
}

// ask runs the operation that the question names as its caller would. A panic in it
// is told like everywhere, and stays its own.
func (s *Server) ask(ctx context.Context, c *Call, q *question) (answer Answer, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			s.log.Error("panic", slog.String("request", c.ID), slog.String("operation", q.Operation),
				slog.Any("reason", reason), slog.String("stack", string(debug.Stack())))
			answer, err = Answer{}, fmt.Errorf("%w: %v", errPanic, reason)
		}
	}()
	request, err := s.request(c, q)
	if err != nil {
		return Answer{}, err
	}
	return s.Run(ctx, request)
}

// request makes of a question what it would be if it came alone. What is not in the
// operation's path must be in its query, and is refused there if it is unknown.
func (s *Server) request(c *Call, q *question) (*Request, error) {
	made := &Request{
		Operation: q.Operation, Caller: c.Caller, ID: c.ID, At: c.At, Path: map[string]string{},
		Header: func(name string) string {
			if strings.EqualFold(name, "Content-Type") {
				return mediaJSON
			}
			return ""
		},
	}
	op := s.operations[q.Operation]
	query := url.Values{}
	for name, value := range q.Parameters {
		if name == "body" && op.body != nil {
			made.Body, made.Length = bytes.NewReader(value), int64(len(value))
			continue
		}
		text, ok := parameterText(value)
		switch {
		case !ok:
			return nil, wrongField("/parameters/"+name, "wrongType", "A parameter is a string, a number or a boolean.")
		case op.hasInPath(name):
			made.Path[name] = text
		default:
			query.Set(name, text)
		}
	}
	if format := query.Get("format"); format != "" && format != "json" && op.choosesFormat() {
		return nil, wrongField("/query/format", "answersAFile", "This format is a file. Send the question as a request of its own.")
	}
	made.RawQuery = query.Encode()
	return made, nil
}

// parameterText gives a parameter as it would stand in an address.
func parameterText(value json.RawMessage) (string, bool) {
	var text string
	switch value[0] {
	case '"':
		err := json.Unmarshal(value, &text)
		return text, err == nil
	case '{', '[', 'n':
		return "", false
	}
	return string(value), true
}

func (op *operation) hasInPath(name string) bool {
	for i := range op.inPath {
		if op.inPath[i].name == name {
			return true
		}
	}
	return false
}

// choosesFormat reports whether a parameter tells how the answer is written.
func (op *operation) choosesFormat() bool {
	for i := range op.inQuery {
		if op.inQuery[i].name == "format" {
			return true
		}
	}
	return false
}

// told gives the status and the body of what a question came to.
func (s *Server) told(c *Call, q *question, answer Answer, failure error) questionAnswer {
	made := questionAnswer{ID: q.ID, Status: max(answer.Status, http.StatusOK), Body: answer.Rendered}
	if failure == nil && made.Body == nil {
		made.Body, failure = renderJSON(answer.Record)
	}
	if failure == nil {
		return made
	}
	status, body, _ := s.explain(failure, c.ID)
	if status >= http.StatusInternalServerError {
		s.log.Error("operation failed", slog.String("request", c.ID), slog.String("operation", q.Operation),
			slog.Int("status", status), slog.Any("error", failure))
	}
	made.Status = status
	made.Body, _ = renderJSON(body) // it holds nothing that could fail
	return made
}
