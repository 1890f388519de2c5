package api

import (
	"context"
	"encoding/json"
	"errors"

	"equity/messages"
)

// Answers makes calls of outside services idempotent.
type Answers interface {
	// Begin claims the key, or returns the answer of the first request with it.
	Begin(ctx context.Context, once messages.Once) (answer []byte, answered bool, err error)
	// Finish stores the answer. Abandon releases the key after a call that failed.
	Finish(ctx context.Context, once messages.Once, answer []byte) error
	Abandon(ctx context.Context, once messages.Once) error
}

// remembered is the stored form of an answer.
type remembered struct {
	Status   int             `json:"status"`
	Record   json.RawMessage `json:"record,omitempty"`
	Location string          `json:"location,omitempty"`
	ETag     string          `json:"eTag,omitempty"`
}

// AnswerOnce carries out a request that changes an outside service, or returns the answer of the first request with its idempotency key.
func AnswerOnce(ctx context.Context, answers Answers, c *Call, do func(ctx context.Context) (Answer, error)) (Answer, error) {
	ctx = messages.WithToolRun(ctx, nil) // events after an outside effect cannot be refused any more
	once := c.Once()
	if once.Key == "" {
		answer, err := do(ctx)
		answer.Private = true
		return answer, err
	}
	stored, replayed, err := answers.Begin(ctx, once)
	if err != nil {
		return Answer{}, Unavailable(err)
	}
	if replayed {
		var first remembered
		err := json.Unmarshal(stored, &first)
		answer := Answer{Status: first.Status, Location: first.Location, ETag: first.ETag, Private: true, Replayed: true}
		if first.Record != nil {
			answer.Record = first.Record
		}
		return answer, err
	}
	ctx = context.WithoutCancel(ctx) // a repetition of the request needs the answer
	answer, err := do(ctx)
	if err != nil {
		return Answer{}, errors.Join(err, answers.Abandon(ctx, once))
	}
	made := remembered{Status: answer.Status, Location: answer.Location, ETag: answer.ETag}
	if answer.Record != nil {
		if made.Record, err = RenderJSON(answer.Record); err != nil {
			return Answer{}, err
		}
	}
	if stored, err = json.Marshal(made); err != nil {
		return Answer{}, err
	}
	if err := answers.Finish(ctx, once, stored); err != nil {
		return Answer{}, Unavailable(err)
	}
	answer.Private = true
	return answer, nil
}
