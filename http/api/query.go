package api

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
	"sync/atomic"
	"time"

	"equity/fault"
	"equity/membership"
)

// question is one operation of a query.
type question struct {
	ID         string                     `json:"id"`
	Operation  string                     `json:"operation"`
	Parameters map[string]json.RawMessage `json:"parameters"`
}

// questionAnswer is the answer to one question.
type questionAnswer struct {
	ID     string          `json:"id"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// maxAnswerBytes is the maximum size of all answers together, in bytes.
const maxAnswerBytes = 20 << 20

// queryTime bounds the total work of a query. The longest single question takes about 2 s.
const queryTime = 5 * time.Second

// queryOperation is the operation that runs other operations, each with its own checks.
const queryOperation = "query"

// queries executes the operation "query" with the operations of the kernel.
type queries struct{ *Kernel }

// parallelQuestions is the number of questions of a query that run at the same time.
const parallelQuestions = 4

// run runs several read operations in one request, each as if it were sent alone. They share a limit
// of bytes and a limit of time. A question beyond a limit is refused by itself. The first question
// always runs.
func (s queries) run(ctx context.Context, c *Call) (Answer, error) {
	asked, err := Decode[struct {
		Queries []*question `json:"queries"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.checkQuestions(c, asked.Queries); err != nil {
		return Answer{}, err
	}
	work := queryWork{begin: time.Now(), allowed: cmp.Or(s.settings.QueryTime, queryTime)}
	answers := membership.InOrder(ctx, parallelQuestions, asked.Queries, func(ctx context.Context, q *question) (questionAnswer, error) {
		if q != asked.Queries[0] && work.used() {
			return s.resultOf(ctx, c, q, Answer{}, errQueryTimeUsed()), nil
		}
		defer work.add(time.Now())
		answer, failure := s.ask(ctx, c, q)
		if ctx.Err() != nil {
			return questionAnswer{}, fmt.Errorf("query %s: %w", q.ID, ctx.Err())
		}
		return s.resultOf(ctx, c, q, answer, failure), nil
	})
	results, room := make([]questionAnswer, 0, len(asked.Queries)), maxAnswerBytes
	for result, err := range answers {
		if err != nil {
			return Answer{}, err
		}
		if len(result.Body) > room {
			result = s.resultOf(
				ctx, c, asked.Queries[len(results)], Answer{},
				fault.Refuse(fault.TooLarge, "The answers are too large together. Send this question alone."),
			)
		}
		room -= len(result.Body)
		results = append(results, result)
	}
	return Answer{Private: true, Record: struct {
		Results []questionAnswer `json:"results"`
	}{results}}, nil
}

// queryWork is the time that the questions of a query have taken together. It is safe for concurrent use.
type queryWork struct {
	begin   time.Time
	allowed time.Duration
	taken   atomic.Int64 // nanoseconds of finished questions
}

// used reports whether no further question may start.
func (w *queryWork) used() bool {
	return time.Since(w.begin) >= w.allowed || time.Duration(w.taken.Load()) >= w.allowed
}

// add adds the time of a question that started at the given time.
func (w *queryWork) add(begin time.Time) { w.taken.Add(int64(time.Since(begin))) }

func errQueryTimeUsed() error {
	return fault.Refuse(fault.QueryTimeUsed, "The time limit of the query is reached. Send this question alone.")
}

// checkQuestions refuses invalid questions before any of them runs.
func (s queries) checkQuestions(c *Call, asked []*question) error {
	var faults fault.Fields
	ids := map[string]bool{}
	for i := range asked {
		q, at := asked[i], "/queries/"+strconv.Itoa(i)
		if ids[q.ID] {
			faults.Add(at+"/id", "duplicate", "Another question has this id. Give each question its own id.")
		}
		ids[q.ID] = true
		switch op := s.operations[q.Operation]; {
		case op == nil || op.Off:
			faults.Add(at+"/operation", "unknownReference", "This operation does not exist.")
		case op == c.Operation:
			faults.Add(at+"/operation", "nested", "A query cannot contain another query.")
		case !op.Reads():
			faults.Add(at+"/operation", "notARead", "The operation changes something. Send it as a request of its own.")
		case op.onlyEvents:
			faults.Add(at+"/operation", "answersAStream", "The operation answers with a stream of events. Send it as a request of its own.")
		case op.onlyFiles, op.sendsContent:
			faults.Add(at+"/operation", "answersAFile", "The operation answers with a file. Send it as a request of its own.")
		}
	}
	return WrongFields(faults)
}

// ask runs the operation of the question for the caller. A panic affects only this question.
func (s queries) ask(ctx context.Context, c *Call, q *question) (answer Answer, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			s.log.Error("panic", slog.String("request", c.ID), slog.String("operation", q.Operation),
				slog.Any("reason", reason), slog.String("stack", string(debug.Stack())))
			answer, err = Answer{}, fmt.Errorf("%w: %v", ErrPanic, reason)
		}
	}()
	request, err := s.request(c, q)
	if err != nil {
		return Answer{}, err
	}
	return s.Run(ctx, request)
}

// request converts a question to the request that it would be alone.
func (s queries) request(c *Call, q *question) (*Request, error) {
	result := &Request{Operation: q.Operation, Caller: c.Caller, ID: c.ID, At: c.At, Header: onlyJSON}
	return result, s.operations[q.Operation].setParameters(result, q.Parameters)
}

// onlyJSON returns the headers of a request with a JSON body.
func onlyJSON(name string) string {
	if strings.EqualFold(name, "Content-Type") {
		return MediaJSON
	}
	return ""
}

// setParameters sets the path, the query and the body of the request. Parameters that are not in the operation's path go into the query,
// where unknown ones are refused.
func (op *Operation) setParameters(r *Request, parameters map[string]json.RawMessage) error {
	query := url.Values{}
	r.Path = map[string]string{}
	for name, value := range parameters {
		if name == "body" && op.body != nil {
			r.Body, r.Length = bytes.NewReader(value), int64(len(value))
			continue
		}
		text, ok := parameterText(value)
		switch {
		case !ok:
			return WrongField("/parameters/"+name, "wrongType", "The parameter must be a string, a number or a boolean.")
		case op.hasInPath(name):
			r.Path[name] = text
		default:
			query.Set(name, text)
		}
	}
	if format := query.Get("format"); format != "" && format != "json" && op.choosesFormat() {
		return WrongField("/query/format", "answersAFile", "This format is a file. Send the question as a request of its own.")
	}
	r.RawQuery = query.Encode()
	return nil
}

// parameterText returns the parameter as it would appear in a URL.
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

func (op *Operation) hasInPath(name string) bool {
	for i := range op.inPath {
		if op.inPath[i].name == name {
			return true
		}
	}
	return false
}

// resultOf returns the status and the body of the answer to a question.
func (s queries) resultOf(ctx context.Context, c *Call, q *question, answer Answer, failure error) questionAnswer {
	result := questionAnswer{ID: q.ID, Status: max(answer.Status, http.StatusOK), Body: answer.Rendered}
	if failure == nil && result.Body == nil {
		result.Body, failure = RenderJSON(answer.Record)
	}
	if failure == nil {
		return result
	}
	status, body, _ := s.Explain(failure, c.ID)
	if status >= http.StatusInternalServerError {
		s.log.Log(ctx, FailureLevel(ctx), "operation failed", slog.String("request", c.ID), slog.String("operation", q.Operation),
			slog.Int("status", status), slog.Any("error", failure))
	}
	result.Status = status
	result.Body, _ = RenderJSON(body) // such a body always encodes
	return result
}
