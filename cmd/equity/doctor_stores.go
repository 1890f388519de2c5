package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"

	"equity/app/doctor"
	"equity/persistence"
	"equity/persistence/blob"
	"equity/persistence/session"
)

// otherClockWithin is the difference from another clock that is not reported.
const otherClockWithin = 5 * time.Second

// temporary returns the folder of temporary files.
func (p program) temporary() string {
	if chosen, _ := p.environment("TMPDIR"); chosen != "" {
		return chosen
	}
	return os.TempDir()
}

// below reports whether the path is in the folder.
func below(path, folder string) bool {
	relative, err := filepath.Rel(folder, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// database checks the database, its schema, the secret key and the clock.
func (e examination) database(ctx context.Context) []doctor.Finding {
	const check = "database"
	path, embedded := e.c.SQLitePath()
	if lost := e.exchanged(ctx); lost != nil {
		return append(lost, e.keyFile(nil))
	}
	if _, err := os.Stat(path); embedded && errors.Is(err, os.ErrNotExist) { // opening would create it
		return append([]doctor.Finding{doctor.Good(check, "%s is created at the start", path)}, e.keyFile(errKeyUnused))
	}
	db, err := openDatabase(ctx, e.c)
	if newer, is := errors.AsType[*persistence.SchemaError](err); is {
		return []doctor.Finding{doctor.Fail("schema", "start the build that migrated the store, or a newer one", "%v", newer)}
	}
	if err != nil {
		return []doctor.Finding{
			doctor.Fail(check, "start the database, and check the address, user and password in DATABASE_URL", "%v", err),
		}
	}
	defer func() { _ = db.Close() }()
	found, inspected := e.server(ctx, db)
	behind, is := errors.AsType[*persistence.BehindError](db.RequireSchema(ctx))
	switch {
	case inspected.Schema == 0:
		return append(
			found, doctor.Warn("schema", "run 'equity migrate', or start the server", "the store is empty"), e.keyFile(errKeyUnused),
		)
	case is:
		found = append(found, doctor.Warn(
			"schema", "run 'equity migrate', or start the server", "version %d; the versions %v are missing", inspected.Schema,
			behind.Missing,
		))
	default:
		found = append(found, doctor.Good("schema", "version %d is current", inspected.Schema))
	}
	found = append(found, e.keyFile(nil), e.keyset(ctx, db))
	return append(found, e.clock(ctx, db)...)
}

// exchanged returns the finding of a database file that is not the one of the running server, or of the earlier store.
func (e examination) exchanged(ctx context.Context) []doctor.Finding {
	const check = "database"
	path, embedded := e.c.SQLitePath()
	if !embedded {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil { // the question would create a file in it
		return nil
	}
	if exchanged, err := persistence.Exchanged(path); err != nil || exchanged {
		return []doctor.Finding{doctor.Fail(check, "put the file back together with its -wal file; docs/operations.md describes how to save a deleted one",
			"%s was deleted, moved or replaced under the running server, which refuses writes (%v)", path, err)}
	}
	if err := e.p.refuseSecondStore(ctx, e.c, nil); err != nil {
		return []doctor.Finding{doctor.Fail(check, "put the file back, or restore a backup", "%v", err)}
	}
	return nil
}

// server checks the settings of the database server.
func (e examination) server(ctx context.Context, db *persistence.Database) ([]doctor.Finding, persistence.Inspection) {
	const check = "database"
	started := time.Now()
	inspected, err := db.Inspect(ctx)
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, "check the state and the log of the database", "%v", err)}, inspected
	}
	found := []doctor.Finding{
		doctor.Good(check, "%s %s answered within %d ms", db.Engine(), inspected.Version, time.Since(started).Milliseconds()+1),
	}
	if inspected.ReadOnly {
		found = append(found, doctor.Fail(
			check, "connect to the primary, for example with several hosts and target_session_attrs=read-write in DATABASE_URL",
			"the server accepts no writes",
		))
	}
	if !inspected.Durable {
		found = append(
			found,
			doctor.Warn(check, "set fsync=on, and synchronous_commit to on or more", "a crash of the server may lose acknowledged changes"),
		)
	}
	if most := inspected.MostConnections; most > 0 && e.c.DatabaseConnections > most {
		found = append(found, doctor.Warn(
			check, "lower DATABASE_CONNECTIONS, or raise max_connections", "the server allows %d connections, DATABASE_CONNECTIONS is %d",
			most, e.c.DatabaseConnections,
		))
	}
	return found, inspected
}

var errKeyUnused = errors.New("no store uses the key yet")

// keyFile checks that the secret key is available and private. Unused means that a missing key is created at the start.
func (e examination) keyFile(unused error) doctor.Finding {
	const check = "secret key"
	if e.c.SecretKey != "" {
		return doctor.Good(check, "SECRET_KEY is set")
	}
	path := e.c.SecretKeyPath()
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && unused != nil:
		return doctor.Good(check, "%s is created at the start", path)
	case err != nil:
		return doctor.Fail(check, "restore the file, or set SECRET_KEY", "%v", err)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return doctor.Warn(check, "chmod 600 "+path, "other users can read %s (mode %o)", path, info.Mode().Perm())
	}
	return doctor.Good(check, "%s exists", path)
}

// keyset checks that the secret key opens the keys of the store.
func (e examination) keyset(ctx context.Context, db *persistence.Database) doctor.Finding {
	const check = "stored keys"
	if _, err := os.Stat(e.c.SecretKeyPath()); e.c.SecretKey == "" && err != nil { // opening would create it
		return doctor.Fail(check, "restore the secret key of this store", "they cannot be opened without the secret key")
	}
	key, err := e.c.OpenSecretKey(rand.Reader)
	if err == nil {
		err = persistence.CheckKey(ctx, db, key)
	}
	switch {
	case errors.Is(err, persistence.ErrNoKeyset):
		return doctor.Good(check, "they are created at the start")
	case err != nil:
		return doctor.Fail(check, "set SECRET_KEY, or the file "+e.c.SecretKeyPath()+", to the key of this store", "%v", err)
	}
	return doctor.Good(check, "the secret key opens them")
}

// clock compares the clock with the last known time of the store and with the clock of the database.
func (e examination) clock(ctx context.Context, db *persistence.Database) []doctor.Finding {
	const check = "clock"
	now := e.p.now()
	known, err := db.KnownMoment(ctx)
	witness, failed := db.Clock(ctx)
	if err := errors.Join(err, failed); err != nil {
		return []doctor.Finding{doctor.Fail(check, "check the log of the database", "%v", err)}
	}
	ahead := now.Sub(known)
	confirmed := !witness.IsZero() && now.Sub(witness).Abs() <= e.c.ClockSkewLimit
	if !known.IsZero() && (ahead < -e.c.ClockSkewLimit || !confirmed && ahead > max(e.c.ClockSkewLimit, e.c.ClockStopLimit)) {
		return []doctor.Finding{doctor.Fail(check, "set the clock; if it is correct, start once with 'equity serve --accept-clock'",
			"it shows %s, and the last known time is %s; writes are refused", now.UTC().Format(time.RFC3339),
			known.UTC().Format(time.RFC3339))}
	}
	if !witness.IsZero() && now.Sub(witness).Abs() > otherClockWithin {
		return []doctor.Finding{skewed(now.Sub(witness), "the database server")}
	}
	return []doctor.Finding{doctor.Good(check, "it agrees with the store")}
}

// skewed reports a difference from the clock of another machine.
func skewed(ahead time.Duration, other string) doctor.Finding {
	return doctor.Warn("clock", "synchronize both clocks, for example with chrony; second factors and signatures depend on them",
		"it differs from the clock of %s by %s", other, ahead.Round(time.Second))
}

// hasPassword reports whether the address of a service contains a password.
func hasPassword(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil || parsed.User == nil {
		return false
	}
	password, set := parsed.User.Password()
	return set && password != ""
}

// redis checks the store of sessions. Sessions without Redis are in the database.
func (e examination) redis(ctx context.Context) []doctor.Finding {
	const check = "sessions"
	if e.c.RedisURL == "" {
		return []doctor.Finding{doctor.Good(check, "they are stored in the database")}
	}
	pool := session.NewPool(e.c.RedisURL.Reveal(), redisTimeout)
	defer func() { _ = pool.Close() }()
	conn, err := pool.GetContext(ctx)
	if err == nil {
		defer func() { _ = conn.Close() }()
		_, err = redis.DoContext(conn, ctx, "PING")
	}
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, "start Redis, and check the address and password in REDIS_URL", "Redis: %v", err)}
	}
	found := []doctor.Finding{doctor.Good(check, "Redis answers")}
	if !hasPassword(e.c.RedisURL.Reveal()) {
		found = append(found, doctor.Warn(
			check, "set requirepass, and the password in REDIS_URL", "Redis requires no password: its clients can end sessions",
		))
	}
	policy, err := redis.Strings(redis.DoContext(conn, ctx, "CONFIG", "GET", "maxmemory-policy")) // managed services refuse it
	if err == nil && len(policy) == 2 && strings.HasPrefix(policy[1], "allkeys-") {
		found = append(
			found, doctor.Warn(check, "set maxmemory-policy to noeviction or volatile-ttl", "Redis may remove sessions (%s)", policy[1]),
		)
	}
	clock, err := redis.Int64s(redis.DoContext(conn, ctx, "TIME"))
	if err == nil && len(clock) == 2 {
		if ahead := e.p.now().Sub(time.Unix(clock[0], clock[1]*1000)); ahead.Abs() > otherClockWithin {
			found = append(found, skewed(ahead, "Redis"))
		}
	}
	return found
}

// objects checks the store of the bytes of documents and files.
func (e examination) objects(ctx context.Context) []doctor.Finding {
	const check = "object store"
	if e.c.Files.URL == "" {
		return []doctor.Finding{doctor.Folder(check, "DATA_DIRECTORY", e.c.FilesDirectory()), doctor.Disk(e.c.FilesDirectory())}
	}
	const repair = "check STORE_URL, STORE_REGION, STORE_BUCKET, STORE_ACCESS_KEY and STORE_SECRET_KEY, and the rights of the key"
	store, _, err := openStore(e.c, e.breakers())
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, repair, "%v", err)}
	}
	if service, remote := store.(*blob.S3); remote {
		exists, err := service.Exists(ctx)
		if err != nil {
			return []doctor.Finding{doctor.Fail(check, repair, "%s: %v", hostOf(e.c.Files.URL), err)}
		}
		if !exists {
			return []doctor.Finding{doctor.Warn(
				check, "create the bucket, or start the server with the right to create it", "the bucket %s does not exist",
				e.c.Files.Bucket,
			)}
		}
	}
	if err := roundTrip(ctx, store); err != nil {
		return []doctor.Finding{doctor.Fail(check, repair, "%s: %v", hostOf(e.c.Files.URL), err)}
	}
	return []doctor.Finding{doctor.Good(check, "the bucket %s at %s can be written and read", e.c.Files.Bucket, hostOf(e.c.Files.URL))}
}

// roundTrip writes, reads and deletes an object.
func roundTrip(ctx context.Context, store blob.Store) (err error) {
	key, content := "doctor/"+rand.Text(), []byte("equity doctor\n")
	if err := store.Put(ctx, key, bytes.NewReader(content), int64(len(content))); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Delete(ctx, key)) }()
	reader, err := store.Open(ctx, key, 0, -1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	read, err := io.ReadAll(reader)
	if err == nil && !bytes.Equal(read, content) {
		err = fmt.Errorf("read %d bytes instead of %d", len(read), len(content))
	}
	return err
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}
