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
	db := &Database{engine: PostgreSQL, plain: config.ConnConfig, limit: chosen.limit, answering: answering}
	config.ConnConfig = connectionTo(db.plain, chosen.limit)
	ctx, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	if db.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("open postgresql: %w", err)
	}
	if err := db.pool.Ping(ctx); err != nil {
		db.pool.Close()
		return nil, fmt.Errorf("open postgresql: %w", err)
	}
	db.reader = &Pool{DB: stdlib.OpenDBFromPool(db.pool), limit: chosen.limit}
	db.writer = db.reader
	return db, nil
}
