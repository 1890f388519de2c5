package persistence

import (
	"context"
	"time"

	"equity/messages"
)

// ListNodes returns the list of running servers of a store on PostgreSQL, in order of their addresses. It is empty before the first migration.
func ListNodes(ctx context.Context, d *Database) ([]messages.Node, error) {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	var found bool
	if err := d.reader.QueryRowContext(ctx, `SELECT `+nodeTables).Scan(&found); err != nil || !found {
		return nil, during("find the list of nodes", err)
	}
	return Collect(ctx, d.reader, "list nodes", func(row Row) (node messages.Node, err error) {
		var silent int64
		err = row.Scan(&node.ID, &node.Address, &node.Name, &silent)
		node.Silent = max(0, time.Duration(silent)*time.Microsecond)
		return node, err
	}, `SELECT id, address, name, `+nodeClock+` - seen_at FROM node ORDER BY address, id`)
}
