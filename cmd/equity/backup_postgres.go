package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"equity/config"
	"equity/persistence"
)

// postgresTool runs pg_dump, pg_restore and psql, which belong to the version of the server and are not a part of this program.
type postgresTool struct {
	address  string // without password, for the command line
	password string // for the environment, which other users cannot read
	schema   string // "" for the default of the user
	program  string // name of the connections of the servers; "" without one
}

// libpqParameters are the parameters of an address that the programs know. pgx knows more.
func libpqParameters() []string {
	return []string{
		"application_name", "channel_binding", "connect_timeout", "dbname", "gssencmode", "host", "hostaddr", "keepalives", "krbsrvname",
		"options",
		"passfile", "port", "service", "sslcert", "sslcrl", "sslkey", "sslmode", "sslrootcert", "target_session_attrs", "user",
	}
}

// newPostgresTool splits DATABASE_URL.
func newPostgresTool(c config.Config) (postgresTool, error) {
	address, err := url.Parse(c.DatabaseURL.Reveal())
	if err != nil {
		return postgresTool{}, errors.New("DATABASE_URL must be an address") // the cause contains the password
	}
	query := address.Query()
	t := postgresTool{password: query.Get("password"), schema: query.Get("search_path"), program: query.Get("application_name")}
	if text, has := address.User.Password(); has {
		t.password = text
		address.User = url.User(address.User.Username())
	}
	for name := range query {
		if !slices.Contains(libpqParameters(), name) {
			query.Del(name)
		}
	}
	address.RawQuery = query.Encode()
	t.address = address.String()
	return t, nil
}

// dump writes a snapshot of the database to the file, without the list of the running servers.
func (t postgresTool) dump(ctx context.Context, file string) error {
	arguments := []string{"--format=custom", "--no-owner", "--no-privileges", "--file=" + file, "--dbname=" + t.address}
	if t.schema == "" {
		arguments = append(arguments, "--exclude-table-data=node")
	} else {
		arguments = append(arguments, "--schema="+t.schema, "--exclude-table-data="+t.schema+".node")
	}
	return t.run(ctx, "pg_dump", arguments...)
}

// restore writes the dump to the database in one transaction. With replace, the transaction drops the present tables first: pg_restore
// --clean cannot drop the keys of partitions.
func (t postgresTool) restore(ctx context.Context, file string, replace bool) (err error) {
	folder, err := os.MkdirTemp("", "equity-restore-") // mode 0700
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	before, script := filepath.Join(folder, "before.sql"), filepath.Join(folder, "restore.sql")
	if err := os.WriteFile(before, []byte(t.before(replace)), 0o600); err != nil {
		return err
	}
	if err := t.run(ctx, "pg_restore", "--no-owner", "--no-privileges", "--file="+script, file); err != nil {
		return err
	}
	return t.run(ctx, "psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output="+os.DevNull,
		"--dbname="+t.address, "--file="+before, "--file="+script)
}

// before returns the statements that precede those of a dump. The dump of a separate schema creates the schema.
func (t postgresTool) before(replace bool) string {
	schema := `"` + strings.ReplaceAll(t.schema, `"`, `""`) + `"`
	switch {
	case t.schema != "" && replace:
		return "DROP SCHEMA IF EXISTS " + schema + " CASCADE;\n"
	case t.schema != "":
		return "DROP SCHEMA IF EXISTS " + schema + ";\n" // fails unless it is empty
	case replace:
		return `DO $$ DECLARE name TEXT; BEGIN
	FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = current_schema() LOOP
		EXECUTE 'DROP TABLE IF EXISTS ' || name || ' CASCADE';
	END LOOP;
END $$;
`
	}
	return ""
}

func (t postgresTool) run(ctx context.Context, name string, arguments ...string) error {
	command := exec.CommandContext(ctx, name, arguments...) //nolint:gosec // a fixed program with the address of the settings
	command.Env = append(os.Environ(), "PGPASSWORD="+t.password)
	var problems bytes.Buffer
	command.Stderr = &problems
	err := command.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s is missing: install the client programs of PostgreSQL in the version of the server", name)
	case err != nil:
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(problems.String()))
	}
	return nil
}

// copyPostgres dumps the database for a backup.
func copyPostgres(ctx context.Context, c config.Config, file string) error {
	t, err := newPostgresTool(c)
	if err != nil {
		return err
	}
	err = withDatabase(ctx, c, func(db *persistence.Database) error { return db.RequireSchema(ctx) })
	if err != nil {
		return err
	}
	return t.dump(ctx, file)
}

// named returns the settings with another name of the connections, which distinguishes them from those of servers.
func named(c config.Config, program string) config.Config {
	if address, err := url.Parse(c.DatabaseURL.Reveal()); err == nil {
		query := address.Query()
		query.Set("application_name", program)
		address.RawQuery = query.Encode()
		c.DatabaseURL = config.Secret(address.String())
	}
	return c
}

// restorePostgres restores a dump. Servers must not use the database meanwhile, because they would keep views of the former records.
func (r restoreCommand) restorePostgres(ctx context.Context, c config.Config, file string) error {
	t, err := newPostgresTool(c)
	if err != nil {
		return err
	}
	return withDatabase(ctx, named(c, "equity restore"), func(db *persistence.Database) (err error) {
		found, err := db.Inspect(ctx)
		if err != nil {
			return err
		}
		if found.Schema == 0 {
			return t.restore(ctx, file, r.Replace)
		}
		if !r.Replace {
			return errors.New("the database contains a store: use --replace to drop it, or set DATABASE_URL to an empty database")
		}
		release, err := db.ExcludeServers(ctx, t.program)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, release()) }()
		return t.restore(ctx, file, true)
	})
}
