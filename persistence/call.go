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

// callsOfTools is the subject of the log of calls of tools.
const callsOfTools = "tool"

// Count adds a call to those of the organization. It returns all that are counted, and a [messages.CallLimitError] beyond a limit.
func (s *ToolCalls) Count(
	ctx context.Context, in organization.ID, kind messages.CallKind, now time.Time, windows []messages.CallWindow,
) (messages.Calls, error) {
	var calls messages.Calls
	err := s.db.Decided(messages.WithoutChanges(ctx), func(ctx context.Context) ([]Statement, error) {
		logs, err := CallLogs(ctx, s.db, callsOfTools, in)
		if err != nil {
			return nil, err
		}
		err = logs[in].Admit(kind, now, windows)
		if calls = logs[in].Calls; err != nil {
			return nil, err
		}
		counted, err := logs[in].Replaced(now)
		return []Statement{counted}, err
	})
	return calls, err
}

// Counted returns the calls of tools that are counted in the organization.
func (s *ToolCalls) Counted(ctx context.Context, in organization.ID) (messages.Calls, error) {
	logs, err := CallLogs(ctx, s.db, callsOfTools, in)
	if err != nil {
		return nil, err
	}
	return logs[in].Calls, nil
}

// CallLog is a stored log of the calls of one subject in an organization, such as those of its tools.
type CallLog struct {
	organization organization.ID
	subject      string
	version      int64
	Calls        messages.Calls
	Changed      bool // since it was read
}

// CallLogs reads the calls of the subject in organizations. A log without a stored one is empty.
func CallLogs(ctx context.Context, db *Database, subject string, of ...organization.ID) (logs map[organization.ID]*CallLog, err error) {
	logs, arguments := map[organization.ID]*CallLog{}, []any{subject}
	var list strings.Builder
	for _, in := range of {
		if logs[in] != nil {
			continue
		}
		logs[in] = &CallLog{organization: in, subject: subject}
		if len(arguments) > 1 {
			list.WriteString(", ")
		}
		arguments = append(arguments, in[:])
		list.WriteString("$" + strconv.Itoa(len(arguments)))
	}
	err = each(ctx, db.reader, "read calls", func(row Row) error {
		var id organization.ID
		var stored CallLog
		err := row.Scan(IntoBytes(id[:]), &stored.version, intoJSON{&stored.Calls})
		if log := logs[id]; err == nil {
			log.version, log.Calls = stored.version, stored.Calls
		}
		return err
	}, `SELECT organization, version, calls FROM call_log WHERE subject = $1 AND organization IN (`+list.String()+`)`, arguments...)
	return logs, err
}

// Admit counts a call, or returns a [messages.CallLimitError].
func (l *CallLog) Admit(kind messages.CallKind, now time.Time, windows []messages.CallWindow) (err error) {
	l.Calls, err = l.Calls.Admit(kind, now, windows)
	l.Changed = l.Changed || err == nil
	return err
}

// Replaced returns the change that stores the calls if no other server has changed them.
func (l *CallLog) Replaced(now time.Time) (Statement, error) {
	text, err := json.Marshal(l.Calls)
	if err != nil {
		return Statement{}, fmt.Errorf("encode calls: %w", err)
	}
	return Statement{
		"count calls", `INSERT INTO call_log (organization, subject, version, calls, changed_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (organization, subject) DO UPDATE SET version = excluded.version, calls = excluded.Calls, changed_at = excluded.changed_at
		WHERE call_log.version = excluded.version - 1`,
		[]any{l.organization[:], l.subject, l.version + 1, string(text), Micros(now)},
		ErrMoved,
	}, nil
}
