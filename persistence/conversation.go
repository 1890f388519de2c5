package persistence

import (
	"context"
	"database/sql"
	"time"

	"equity/messages"
	"equity/organization"
)

// Conversations stores the conversations of users with the assistant.
type Conversations struct{ db *Database }

// NewConversations returns the Conversations of db.
func NewConversations(db *Database) *Conversations { return &Conversations{db} }

const conversationColumns = `id, organization, user_id, title, created_at, updated_at`

// Find returns a conversation of the user, or [messages.ErrNoConversation].
func (s *Conversations) Find(
	ctx context.Context, in organization.ID, user organization.UserID, id messages.AgentID,
) (messages.Conversation, error) {
	return one(ctx, s.db.reader, messages.ErrNoConversation, "find conversation", scanConversation,
		`SELECT `+conversationColumns+` FROM agent_conversation WHERE organization = $1 AND user_id = $2 AND id = $3`, in[:], user[:], id[:])
}

// List returns a page of the conversations of the user, the latest first. Their keys have the time of their last message.
func (s *Conversations) List(
	ctx context.Context, in organization.ID, user organization.UserID, page messages.PageQuery,
) ([]messages.Conversation, error) {
	at, id := latestBefore(page.After)
	return Collect(ctx, s.db.reader, "list conversations", scanConversation, `SELECT `+conversationColumns+` FROM agent_conversation
		WHERE organization = $1 AND user_id = $2 AND (updated_at, id) < ($3, $4) ORDER BY updated_at DESC, id DESC LIMIT $5`,
		in[:], user[:], at, id, page.Limit)
}

func scanConversation(row Row) (c messages.Conversation, err error) {
	err = row.Scan(
		IntoBytes(c.ID[:]), IntoBytes(c.Organization[:]), IntoBytes(c.User[:]), &c.Title, IntoTime(&c.CreatedAt), IntoTime(&c.UpdatedAt),
	)
	return c, err
}

// Messages returns the last messages of a conversation in their order.
func (s *Conversations) Messages(ctx context.Context, id messages.AgentID, limit int) ([]messages.ConversationMessage, error) {
	return Collect(ctx, s.db.reader, "read conversation", func(row Row) (m messages.ConversationMessage, err error) {
		err = row.Scan(&m.Role, &m.Content, (*[]byte)(&m.ToolCalls), IntoTime(&m.At))
		return m, err
	}, `SELECT role, content, tool_calls, created_at FROM (SELECT number, role, content, tool_calls, created_at
		FROM agent_message WHERE conversation = $1 ORDER BY number DESC LIMIT $2) AS latest ORDER BY number`, id[:], limit)
}

// Append adds messages to the conversation, after creating a new one. A conversation that its user deleted in between stays deleted.
func (s *Conversations) Append(ctx context.Context, c messages.Conversation, isNew bool, added []messages.ConversationMessage) error {
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		var found bool
		var err error
		if isNew {
			found, err = Affect(ctx, tx, "create conversation", `INSERT INTO agent_conversation (`+conversationColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
				c.ID[:], c.Organization[:], c.User[:], c.Title, Micros(c.CreatedAt), Micros(c.UpdatedAt))
		} else {
			found, err = Affect(ctx, tx, "store conversation", `UPDATE agent_conversation SET updated_at = $2 WHERE id = $1`, c.ID[:], Micros(c.UpdatedAt))
		}
		if err != nil || !found {
			return err
		}
		for _, one := range added {
			err := Execute(ctx, tx, "store message", `INSERT INTO agent_message (conversation, number, role, content, tool_calls, created_at)
				SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4, $5 FROM agent_message WHERE conversation = $1`,
				c.ID[:], one.Role, one.Content, string(one.ToolCalls), Micros(one.At))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Delete removes a conversation of the user with its messages and steps. It reports whether it existed.
func (s *Conversations) Delete(
	ctx context.Context, in organization.ID, user organization.UserID, id messages.AgentID,
) (found bool, err error) {
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		found, err = Affect(ctx, tx, "delete conversation", `DELETE FROM agent_conversation WHERE organization = $1 AND user_id = $2 AND id = $3`,
			in[:], user[:], id[:])
		if err != nil || !found {
			return err
		}
		return Execute(ctx, tx, "delete steps", `DELETE FROM agent_step WHERE conversation = $1`, id[:])
	})
	return found, err
}

// Forget removes conversations and steps without activity since the time.
func (s *Conversations) Forget(ctx context.Context, before time.Time) error {
	var changes []change
	for _, statement := range []string{
		`DELETE FROM agent_conversation WHERE updated_at < $1`,
		`DELETE FROM agent_step WHERE created_at < $1`,
		`DELETE FROM call_log WHERE changed_at < $1`,
	} {
		changes = append(changes, change{"forget conversations", statement, []any{Micros(before)}, nil})
	}
	return s.db.together(ctx, changes...)
}
