package persistence

import (
	"context"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"

	"equity/messages"
	"equity/organization"
)

// nodeAnnounced are the organizations to which others than their owners append, with the ends of their journals.
const nodeAnnounced = `SELECT organization, COALESCE((SELECT MAX(sequence) FROM journal WHERE journal.organization = node_guest.organization), 0)
	FROM node_guest`

// Announce notes that the node appends to the organization of another one. Each renewal returns the organization, until Withdraw removes the
// note, or until the others have renewed their leases after the end of the node.
func (n *Nodes) Announce(ctx context.Context, id string, organization organization.ID) (note uint64, err error) {
	note = rand.Uint64() >> 1 //nolint:gosec // a number without a secret
	err = n.call(ctx, func(ctx context.Context) error {
		_, err := n.conn.Exec(ctx, `WITH over AS (DELETE FROM node_guest WHERE ended_at > 0 AND ended_at < `+nodeClock+` - $4)
			INSERT INTO node_guest (note, node, organization, ended_at) VALUES ($1, $2, $3, 0)`,
			int64(note), id, organization[:], 2*n.times.Expiry.Microseconds()) //nolint:gosec // 63 bits
		return err
	})
	return note, during("announce an append", err)
}

// Withdraw removes a note of Announce.
func (n *Nodes) Withdraw(ctx context.Context, note uint64) error {
	return during("withdraw an append", n.call(ctx, func(ctx context.Context) error {
		_, err := n.conn.Exec(ctx, `DELETE FROM node_guest WHERE note = $1`, int64(note)) //nolint:gosec // 63 bits
		return err
	}))
}

// announced returns the organizations of all notes.
func (n *Nodes) announced(ctx context.Context) ([]messages.Announced, error) {
	rows, err := n.conn.Query(ctx, nodeAnnounced)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (one messages.Announced, err error) {
		var id []byte
		var sequence int64
		err = row.Scan(&id, &sequence)
		copy(one.Organization[:], id)
		one.Sequence = uint64(max(sequence, 0))
		return one, err
	})
}

// endNotes notes the end of nodes. Their notes stay until the others have renewed their leases.
func endNotes(ctx context.Context, tx pgx.Tx, nodes []string) error {
	_, err := tx.Exec(ctx, `UPDATE node_guest SET ended_at = `+nodeClock+` WHERE node = ANY($1) AND ended_at = 0`, nodes)
	return err
}
