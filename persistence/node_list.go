package persistence

import (
	"context"
	"time"

	"equity/messages"
)

// ListNodes returns the list of running servers of a store on PostgreSQL, in order of their addresses. It is empty before the first migration.
func ListNodes(ctx context.Context, d *Database) (list []messages.Node, err error) {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	var found bool
	if err := d.reader.QueryRowContext(ctx, `SELECT `+nodeTables).Scan(&found); err != nil || !found {
		return nil, during("find the list of nodes", err)
	}
	rows, err := d.reader.QueryContext(ctx, `SELECT id, address, name, `+nodeClock+` - seen_at FROM node ORDER BY address, id`)
	if err != nil {
		return nil, during("list nodes", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var node messages.Node
		var silent int64
		if err := rows.Scan(&node.ID, &node.Address, &node.Name, &silent); err != nil {
			return nil, during("list nodes", err)
		}
		node.Silent = max(0, time.Duration(silent)*time.Microsecond)
		list = append(list, node)
	}
	return list, during("list nodes", rows.Err())
}
