package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// sqliteReaders is the number of concurrent readers. Reading is CPU-bound, so slightly more than the cores of
// a small machine are sufficient.
const sqliteReaders = 8

// openSQLite opens the file at path with a single writer and a pool of readers. Transactions of the writer take the write
// lock at their start: a transaction that reads first and writes later would fail with SQLITE_BUSY instead of waiting.
func openSQLite(ctx context.Context, path string, limit time.Duration) (*Database, error) {
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return nil, errors.New("open sqlite: a path to a file is needed, since several connections share it")
	}
	file, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("open sqlite %s: %w", path, err)
	}
	db, err := openPools(ctx, file, limit)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open sqlite %s: %w", path, err), file.close())
	}
	return db, nil
}

func openPools(ctx context.Context, file *storeFile, limit time.Duration) (*Database, error) {
	writer, err := sql.Open("sqlite", sqliteSource(file.path, limit, "_txlock", "immediate"))
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	writer.SetMaxIdleConns(1)
	// The writer is opened first: it switches a new file to write-ahead logging, which a reader cannot.
	err = writer.PingContext(ctx)
	if err == nil {
		err = file.noteLog(ctx, writer)
	}
	if err = errors.Join(err, file.check()); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader := sql.OpenDB(readers{writer.Driver(), sqliteSource(file.path, limit, "_pragma", "query_only(1)"), file})
	reader.SetMaxOpenConns(sqliteReaders)
	reader.SetMaxIdleConns(sqliteReaders)
	return &Database{
		engine: SQLite, reader: &Pool{DB: reader, limit: limit}, writer: &Pool{DB: writer, limit: limit, file: file}, limit: limit,
		file:      file,
		answering: min(limit, answerLimit),
	}, nil
}

// sqliteSource returns the data source name. synchronous(FULL) makes commits survive a power failure; secure_delete
// overwrites deleted data, so that erased data cannot be recovered from the file.
func sqliteSource(path string, limit time.Duration, option, value string) string {
	query := url.Values{"_pragma": {
		"busy_timeout(" + strconv.FormatInt(limit.Milliseconds(), 10) + ")", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"secure_delete(1)",
		"cache_size(-16000)", "temp_store(MEMORY)", "journal_size_limit(67108864)",
	}}
	query.Add(option, value)
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + query.Encode()
}
