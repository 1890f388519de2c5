package persistence

import (
	"context"
	"time"

	"equity/messages"
)

// NodeState is a row of the list of running servers, for an operator.
type NodeState struct {
	messages.Node

	// Age is the time since the last renewal of the lease.
	Age time.Duration
	// Leased reports whether the server may answer.
	Leased bool
}

// ListNodes returns the list of running servers of a store on PostgreSQL, in order of their addresses. It is empty before the first migration.
func ListNodes(ctx context.Context, d *Database) (list []NodeState, err error) {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	var found bool
	if err := d.reader.QueryRowContext(ctx, nodeTables).Scan(&found); err != nil || !found {
		return nil, during("find the list of nodes", err)
	}
	rows, err := d.reader.QueryContext(ctx, `SELECT id, address, name, leaving, clock - renewed_at, leased_until >= clock
		FROM node, (SELECT `+nodeClock+` AS clock) now ORDER BY address, id`)
	if err != nil {
		return nil, during("list nodes", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var node NodeState
		var leaving, age int64
		if err := rows.Scan(&node.ID, &node.Address, &node.Name, &leaving, &age, &node.Leased); err != nil {
			return nil, during("list nodes", err)
		}
		node.Leaving, node.Age = leaving != 0, max(0, time.Duration(age)*time.Microsecond)
		list = append(list, node)
	}
	return list, during("list nodes", rows.Err())
}
