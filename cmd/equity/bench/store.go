package bench

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// NewStore returns an address for the exclusive use of a run and a function that removes
// it: a new schema in a PostgreSQL database, otherwise a file in the folder.
func NewStore(ctx context.Context, address, directory string) (string, func(context.Context) error, error) {
	if address == "" {
		return "sqlite://" + filepath.Join(directory, "equity.db"), func(context.Context) error { return nil }, nil
	}
	parsed, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(parsed.Scheme, "postgres") {
		return "", nil, errors.New("bench: --database-url is not the URL of a PostgreSQL database")
	}
	schema := "bench_" + hex.EncodeToString(random(8))
	if err := execute(ctx, address, "CREATE SCHEMA "+schema); err != nil {
		return "", nil, err
	}
	query := parsed.Query()
	query.Set("search_path", schema)
	parsed.RawQuery = query.Encode()
	return parsed.String(), func(ctx context.Context) error {
		return execute(ctx, address, "DROP SCHEMA "+schema+" CASCADE")
	}, nil
}

func random(n int) []byte {
	bytes := make([]byte, n)
	_, _ = rand.Read(bytes) // never fails
	return bytes
}

func execute(ctx context.Context, address, statement string) error {
	connection, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	_, err = connection.Exec(ctx, statement)
	return errors.Join(err, connection.Close(ctx))
}
