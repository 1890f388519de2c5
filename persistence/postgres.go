package persistence

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresConnections is the default size of the pool. It serves ordinary tables only: the journal has its own connections.
const postgresConnections = 10

// openPostgres opens one pool, used by the journal through pgx and by other stores through database/sql. The store timeout
// limits each attempt to connect, each read and write of a connection, and each call.
func openPostgres(ctx context.Context, address string, chosen settings) (*Database, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("open postgresql: %w", err)
	}
	if !strings.Contains(address, "pool_max_conns") {
		config.MaxConns = int32(min(chosen.connections, math.MaxInt32)) //nolint:gosec // bounded in this line
	}
	if chosen.session != "" {
		config.ConnConfig.RuntimeParams["application_name"] = chosen.session
	}
	answering := min(chosen.limit, answerLimit)
	if timeout := config.ConnConfig.ConnectTimeout; timeout == 0 || timeout > answering {
		config.ConnConfig.ConnectTimeout = answering
	}
	avoidSilentHosts(config.ConnConfig, strings.Contains(address, "connect_timeout"))
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = dialWithDeadline(dial, chosen.limit)
	ctx, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open postgresql: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("open postgresql: %w", err)
	}
	shared := &Pool{DB: stdlib.OpenDBFromPool(pool), limit: chosen.limit}
	return &Database{
		engine: PostgreSQL, reader: shared, writer: shared, pool: pool, dial: dial, limit: chosen.limit, answering: answering,
	}, nil
}
