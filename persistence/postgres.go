package persistence

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresConnections is the size of the pool when nobody says. Requests for ordinary tables are few: what is hot goes through the journal's own connections.
const postgresConnections = 10

// connectLimit is how long one attempt to connect may take when the address does not say (connect_timeout).
const connectLimit = 5 * time.Second

// openPostgres opens one pool, reached as pgx by the journal and as database/sql by everything else.
func openPostgres(ctx context.Context, address string, connections int) (*Database, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("open postgresql: %w", err)
	}
	if !strings.Contains(address, "pool_max_conns") {
		config.MaxConns = int32(min(connections, math.MaxInt32)) //nolint:gosec // bounded in this line
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectLimit
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open postgresql: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open postgresql: %w", err)
	}
	shared := stdlib.OpenDBFromPool(pool)
	return &Database{engine: PostgreSQL, reader: shared, writer: shared, pool: pool}, nil
}
