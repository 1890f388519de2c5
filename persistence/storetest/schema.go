package storetest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"equity/persistence"
)

// copySchema writes the newest schema into a store that is empty, and reports whether it did. Migrations take longer
// than most tests, so they run once per engine and process.
func copySchema(tb testing.TB, address string) bool {
	tb.Helper()
	if file, isFile := strings.CutPrefix(address, "sqlite://"); isFile {
		return copyFile(tb, file)
	}
	return strings.HasPrefix(address, "postgres") && copyStatements(tb, address)
}

// migrate opens a store and migrates it.
func migrate(address string) error {
	db, err := persistence.Open(context.Background(), address)
	if err != nil {
		return err
	}
	_, err = db.Migrate(context.Background())
	return errors.Join(err, db.Close())
}

// migratedFile returns the content of an empty SQLite store with the newest schema.
var migratedFile = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "equity")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "equity.db")
	if err := migrate("sqlite://" + file); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// copyFile writes a migrated SQLite store unless the file exists.
func copyFile(tb testing.TB, file string) bool {
	tb.Helper()
	if _, err := os.Stat(file); err == nil {
		return false
	}
	content, err := migratedFile()
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		tb.Fatal(err)
	}
	return true
}

// schemaName replaces the name of the schema in dumped statements.
const schemaName = "dumped_schema_of_tests"

// migratedStatements returns the statements that create the newest schema of PostgreSQL.
var migratedStatements = sync.OnceValues(func() (statements string, err error) {
	address, err := url.Parse(os.Getenv("TEST_DATABASE_URL"))
	if err != nil {
		return "", err
	}
	schema := "dumped_" + randomName()
	db, err := sql.Open("pgx", address.String())
	if err != nil {
		return "", err
	}
	defer func() {
		_, dropped := db.ExecContext(context.Background(), `DROP SCHEMA IF EXISTS `+schema+` CASCADE`)
		err = errors.Join(err, dropped, db.Close())
	}()
	if _, err := db.ExecContext(context.Background(), `CREATE SCHEMA `+schema); err != nil {
		return "", err
	}
	query := address.Query()
	query.Set("search_path", schema)
	migrated := *address
	migrated.RawQuery = query.Encode()
	if err := migrate(migrated.String()); err != nil {
		return "", err
	}
	return dump(address.String(), schema)
})

// dump returns the statements of a schema, without the commands that only psql knows.
func dump(address, schema string) (string, error) {
	programs, err := postgresPrograms()
	if err != nil {
		return "", err
	}
	command := exec.Command(filepath.Join(programs, "pg_dump"), "--inserts", "--no-owner", "--schema", schema, address)
	var failure bytes.Buffer
	command.Stderr = &failure
	text, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, failure.String())
	}
	var statements strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, `\`) && !strings.HasPrefix(line, "CREATE SCHEMA ") {
			statements.WriteString(strings.ReplaceAll(line, schema, schemaName))
		}
	}
	return statements.String(), nil
}

// copyStatements creates the newest schema unless the schema of the address has tables.
func copyStatements(tb testing.TB, address string) bool {
	tb.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		tb.Fatal(err)
	}
	schema := parsed.Query().Get("search_path")
	db, err := sql.Open("pgx", address)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var tables int
	if err := db.QueryRowContext(context.Background(), `SELECT COUNT(*) FROM pg_tables WHERE schemaname = $1`, schema).Scan(&tables); err != nil || tables > 0 || schema == "" {
		return false // Migrate reports a store that does not answer
	}
	statements, err := migratedStatements()
	if err != nil {
		tb.Logf("the migrations run, because their result cannot be copied: %v", err)
		return false
	}
	if _, err := db.ExecContext(context.Background(), strings.ReplaceAll(statements, schemaName, schema)); err != nil {
		tb.Fatal(err)
	}
	return true
}
