package processtest

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // driver for the connections of the tests
)

// base returns the common settings of all deployments.
func base(t *testing.T) Settings {
	t.Helper()
	directory := t.TempDir()
	return Settings{
		"ENVIRONMENT": "test", "DATA_DIRECTORY": directory, "PASSWORD_HASHING_PARALLEL": "2",
		"REGISTRATION_IP_LIMIT": "1000", "LOG_LEVEL": "info",
	}
}

// Embedded returns the settings of a deployment without external services.
func Embedded(t *testing.T) Settings {
	t.Helper()
	settings := base(t)
	return settings.With("DATABASE_URL", "sqlite://"+filepath.Join(settings["DATA_DIRECTORY"], "equity.db"))
}

// Services returns the settings of a deployment on PostgreSQL and Redis, in a new schema.
func Services(t *testing.T) Settings {
	t.Helper()
	return base(t).With("DATABASE_URL", database(t)).With("REDIS_URL", service(t, "TEST_REDIS_URL"))
}

// ClusterServices returns the settings of a cluster: Services, and a new bucket.
func ClusterServices(t *testing.T) Settings {
	t.Helper()
	return WithObjects(t, Services(t))
}

func service(t *testing.T, name string) string {
	t.Helper()
	address := os.Getenv(name)
	if address == "" {
		t.Fatalf("%s is not set: `make test` starts private services and sets it", name)
	}
	return address
}

// database creates a schema and returns its address.
func database(t *testing.T) string {
	t.Helper()
	address := service(t, "TEST_DATABASE_URL")
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	name := make([]byte, 8)
	_, _ = rand.Read(name)
	schema := "process_" + hex.EncodeToString(name)
	if _, err := db.ExecContext(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = db.Exec("DROP SCHEMA " + schema + " CASCADE")
		_ = db.Close()
	})
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := parsed.Query()
	query.Set("search_path", schema)
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

// WithObjects returns the settings with a new bucket at an S3 server for the bytes of documents.
func WithObjects(t *testing.T, settings Settings) Settings {
	t.Helper()
	address, err := url.Parse(service(t, "TEST_STORE_URL"))
	if err != nil {
		t.Fatalf("TEST_STORE_URL: %v", err)
	}
	secret, _ := address.User.Password()
	return settings.With("STORE_URL", address.Scheme+"://"+address.Host).With("STORE_ACCESS_KEY", address.User.Username()).
		With("STORE_SECRET_KEY", secret).With("STORE_REGION", "us-east-1").With("STORE_BUCKET", strings.ToLower(rand.Text()))
}
