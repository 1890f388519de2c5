package processtest

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
)

// ProcessorTime returns the processor time that all nodes have used, in ticks of 10 ms.
func (c *Cluster) ProcessorTime(t *testing.T) (ticks int) {
	t.Helper()
	for i := range c.Size() {
		ticks += c.Node(i).ProcessorTime(t)
	}
	return ticks
}

// ProcessorTime returns the processor time that the server has used, in ticks of 10 ms.
func (s *Server) ProcessorTime(t *testing.T) (ticks int) {
	t.Helper()
	ticks, err := processorTime(s.command.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	return ticks
}

// DatabaseTime returns the processor time that the present connections to the database have used, in ticks of 10 ms.
func DatabaseTime(t *testing.T) (ticks int) {
	t.Helper()
	db, err := sql.Open("pgx", service(t, "TEST_DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var connections []int
	const others = `SELECT array_agg(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
	if err := db.QueryRowContext(t.Context(), others).Scan(pgtype.NewMap().SQLScanner(&connections)); err != nil {
		t.Fatal(err)
	}
	for _, pid := range connections {
		used, err := processorTime(pid)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a connection can end meanwhile
			t.Fatal(err)
		}
		ticks += used
	}
	return ticks
}

func processorTime(pid int) (ticks int, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	for _, field := range fields[11:13] { // user and system time
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return ticks, nil
}

// Metric returns a metric of the server with the labels, such as `consumer="webhook"`, or without labels if they are empty; 0 if it has none.
func (s *Server) Metric(t *testing.T, name, labels string) (value float64) {
	t.Helper()
	response, err := http.Get(s.metrics)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("metrics of %s: %d %v", s.URL, response.StatusCode, err)
	}
	if labels != "" {
		name += "{" + labels + "}"
	}
	for line := range strings.Lines(string(text)) {
		if number, found := strings.CutPrefix(line, name+" "); found {
			if value, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	return value
}
