package storetest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"equity/persistence"
)

// Dump returns the whole content of a store as text: each value of each table, and on SQLite also the bytes of its files.
func Dump(tb testing.TB, db *persistence.Database, address string) string {
	tb.Helper()
	var all strings.Builder
	for _, table := range tables(tb, db) {
		dumpTable(tb, db, table, &all)
	}
	if file, isFile := strings.CutPrefix(address, "sqlite://"); isFile {
		for _, name := range []string{file, file + "-wal"} {
			content, err := os.ReadFile(name)
			if err != nil {
				tb.Fatal(err)
			}
			all.Write(content)
		}
	}
	return all.String()
}

func tables(tb testing.TB, db *persistence.Database) (names []string) {
	tb.Helper()
	query := `SELECT name FROM sqlite_master WHERE type = 'table'`
	if db.Engine() == persistence.PostgreSQL {
		query = `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`
	}
	rows, err := db.Reader().QueryContext(context.Background(), query)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			tb.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return names
}

func dumpTable(tb testing.TB, db *persistence.Database, table string, into *strings.Builder) {
	tb.Helper()
	rows, err := db.Reader().QueryContext(context.Background(), `SELECT * FROM `+table)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		tb.Fatal(err)
	}
	values, places := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		places[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(into, "\n%s", table)
		for i, value := range values {
			if bytes, ok := value.([]byte); ok {
				value = string(bytes)
			}
			fmt.Fprintf(into, " %s=%v", columns[i], value)
		}
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
}
