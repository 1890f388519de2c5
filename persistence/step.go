package persistence

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"equity/messages"
	"equity/organization"
)

// Steps stores proposed changes and the calls of tools.
type Steps struct{ db *Database }

// NewSteps returns the Steps of db.
func NewSteps(db *Database) *Steps { return &Steps{db} }

const stepColumns = `id, organization, user_id, credential, conversation, operation, class, title, arguments, preview, previewed_at, digests, basis,
	status, last_key, created_at, expires_at, decided_at, sequence, next_step`

// Add stores a new step.
func (s *Steps) Add(ctx context.Context, step messages.Step) error {
	return addStep(ctx, s.db.writer, step)
}

func addStep(ctx context.Context, on executor, step messages.Step) error {
	digests, err := json.Marshal(step.Previewed.Digests)
	if err != nil {
		return fmt.Errorf("encode step: %w", err)
	}
	return Execute(ctx, on, "store step", `INSERT INTO agent_step (`+stepColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
		step.ID[:], optionalID(step.Organization), optionalID(step.User), step.Credential, optionalID(step.Conversation), step.Operation,
		string(step.Class), step.Title, string(step.Arguments), string(step.Preview), OptionalMicros(step.Previewed.At), string(digests),
		int64(step.Basis), string(step.Status), step.LastKey, Micros(step.CreatedAt), Micros(step.ExpiresAt), //nolint:gosec // a sequence
		OptionalMicros(step.DecidedAt), int64(step.Sequence), optionalID(step.Next)) //nolint:gosec // a sequence
}

// optionalID returns NULL for the zero ID.
func optionalID[T ~[16]byte](id T) []byte {
	if id == (T{}) {
		return nil
	}
	return id[:]
}

// Find returns a step of the user, or [messages.ErrNoStep].
func (s *Steps) Find(ctx context.Context, user organization.UserID, id messages.AgentID) (messages.Step, error) {
	return one(ctx, s.db.reader, messages.ErrNoStep, "read step", scanStep,
		`SELECT `+stepColumns+` FROM agent_step WHERE id = $1 AND user_id = $2`, id[:], user[:])
}

// Of returns the steps of a conversation that wait for a decision, the earliest first.
func (s *Steps) Of(ctx context.Context, conversation messages.AgentID, now time.Time) ([]messages.Step, error) {
	return s.list(ctx, `WHERE conversation = $1 AND status IN ('pending', 'confirmedOnce') AND expires_at > $2 ORDER BY id`, conversation[:], Micros(now))
}

// DecidedBy returns a page of the steps that wait for a decision of the user in the session: its own, and those of the user's tokens. They are in
// the order of their ids, the earliest first.
func (s *Steps) DecidedBy(
	ctx context.Context, user organization.UserID, session string, now time.Time, page messages.PageQuery,
) ([]messages.Step, error) {
	return s.list(ctx, `WHERE user_id = $1 AND (credential = $2 OR credential LIKE 'token:%') AND status IN ('pending', 'confirmedOnce') AND expires_at > $3
		AND id > $4 ORDER BY id LIMIT $5`, user[:], session, Micros(now), page.After.ID[:], page.Limit)
}

func (s *Steps) list(ctx context.Context, where string, arguments ...any) ([]messages.Step, error) {
	return Collect(ctx, s.db.reader, "read steps", scanStep, `SELECT `+stepColumns+` FROM agent_step `+where, arguments...)
}

func scanStep(row Row) (step messages.Step, err error) {
	err = row.Scan(IntoBytes(step.ID[:]), IntoBytes(step.Organization[:]), IntoBytes(step.User[:]), &step.Credential, IntoBytes(step.Conversation[:]),
		&step.Operation, &step.Class, &step.Title, (*[]byte)(&step.Arguments), (*[]byte)(&step.Preview), IntoTime(&step.Previewed.At),
		intoJSON{&step.Previewed.Digests}, IntoCount(&step.Basis), &step.Status, &step.LastKey, IntoTime(&step.CreatedAt),
		IntoTime(&step.ExpiresAt),
		IntoTime(&step.DecidedAt), IntoCount(&step.Sequence), IntoBytes(step.Next[:]))
	return step, err
}

// Unsettled returns at most limit steps without a result that were taken in the time, the earliest first.
func (s *Steps) Unsettled(ctx context.Context, after, before time.Time, limit int) ([]messages.Step, error) {
	return s.list(ctx, `WHERE status = 'taken' AND decided_at > $1 AND decided_at <= $2 ORDER BY decided_at LIMIT `+strconv.Itoa(limit),
		Micros(after), Micros(before))
}

// Decide replaces a step that has the status. It reports whether the step still had it.
func (s *Steps) Decide(ctx context.Context, from messages.StepStatus, step messages.Step) (bool, error) {
	return decideStep(ctx, s.db.writer, from, step)
}

func decideStep(ctx context.Context, on executor, from messages.StepStatus, step messages.Step) (bool, error) {
	return Affect(ctx, on, "decide step", `UPDATE agent_step SET status = $3, last_key = $4, decided_at = $5, sequence = $6, next_step = $7
		WHERE id = $1 AND status = $2`,
		step.ID[:], string(from), string(step.Status), step.LastKey, OptionalMicros(step.DecidedAt), int64(step.Sequence), optionalID(step.Next)) //nolint:gosec // a sequence
}

// Supersede replaces a step that has the status by another one. It reports whether the step still had it.
func (s *Steps) Supersede(ctx context.Context, from messages.StepStatus, step, next messages.Step) (done bool, err error) {
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if done, err = decideStep(ctx, tx, from, step); err != nil || !done {
			return err
		}
		return addStep(ctx, tx, next)
	})
	return done, err
}
