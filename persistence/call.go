package persistence

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// ToolCalls counts the calls of tools of organizations, for all servers.
type ToolCalls struct{ db *Database }

// NewToolCalls returns the ToolCalls of db.
func NewToolCalls(db *Database) *ToolCalls { return &ToolCalls{db} }

// The subjects of logs of calls.
const (
	callsOfTools = "tool"
	callsOfHooks = "hook"
)

// Count adds a call to those of the organization. It returns all that are counted, and a [messages.CallLimitError] beyond a limit.
func (s *ToolCalls) Count(
	ctx context.Context, in organization.ID, kind messages.CallKind, now time.Time, windows []messages.CallWindow,
) (messages.Calls, error) {
	var calls messages.Calls
	err := s.db.decided(messages.WithoutChanges(ctx), func(ctx context.Context) ([]change, error) {
		logs, err := callLogs(ctx, s.db, callsOfTools, in)
		if err != nil {
			return nil, err
		}
		err = logs[in].admit(kind, now, windows)
		if calls = logs[in].calls; err != nil {
			return nil, err
		}
		counted, err := logs[in].replaced(now)
		return []change{counted}, err
	})
	return calls, err
}

// Counted returns the calls of tools that are counted in the organization.
func (s *ToolCalls) Counted(ctx context.Context, in organization.ID) (messages.Calls, error) {
	logs, err := callLogs(ctx, s.db, callsOfTools, in)
	if err != nil {
		return nil, err
	}
	return logs[in].calls, nil
}

// callLog is a stored log of calls.
type callLog struct {
	organization organization.ID
	subject      string
	version      int64
	calls        messages.Calls
	changed      bool
}

// callLogs reads the calls of organizations.
func callLogs(ctx context.Context, db *Database, subject string, of ...organization.ID) (logs map[organization.ID]*callLog, err error) {
	logs, arguments := map[organization.ID]*callLog{}, []any{subject}
	var list strings.Builder
	for _, in := range of {
		if logs[in] != nil {
			continue
		}
		logs[in] = &callLog{organization: in, subject: subject}
		if len(arguments) > 1 {
			list.WriteString(", ")
		}
		arguments = append(arguments, in[:])
		list.WriteString("$" + strconv.Itoa(len(arguments)))
	}
	err = each(ctx, db.reader, "read calls", func(row Row) error {
		var id organization.ID
		var stored callLog
		err := row.Scan(IntoBytes(id[:]), &stored.version, intoJSON{&stored.calls})
		if log := logs[id]; err == nil {
			log.version, log.calls = stored.version, stored.calls
		}
		return err
	}, `SELECT organization, version, calls FROM call_log WHERE subject = $1 AND organization IN (`+list.String()+`)`, arguments...)
	return logs, err
}

// admit counts a call, or returns a [messages.CallLimitError].
func (l *callLog) admit(kind messages.CallKind, now time.Time, windows []messages.CallWindow) (err error) {
	l.calls, err = l.calls.Admit(kind, now, windows)
	l.changed = l.changed || err == nil
	return err
}

// replaced returns the change that stores the calls if no other server has changed them.
func (l *callLog) replaced(now time.Time) (change, error) {
	text, err := json.Marshal(l.calls)
	if err != nil {
		return change{}, fmt.Errorf("encode calls: %w", err)
	}
	return change{
		"count calls", `INSERT INTO call_log (organization, subject, version, calls, changed_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (organization, subject) DO UPDATE SET version = excluded.version, calls = excluded.calls, changed_at = excluded.changed_at
		WHERE call_log.version = excluded.version - 1`,
		[]any{l.organization[:], l.subject, l.version + 1, string(text), Micros(now)},
		errMoved,
	}, nil
}
