package storetest

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Server is a private PostgreSQL server of one test. It can have several folders of data, one of which runs at a time.
type Server struct {
	programs, folder, port string
}

// NewServer returns a server without data. The folder is removed at the end of the test.
func NewServer(t *testing.T) *Server {
	t.Helper()
	folder, err := os.MkdirTemp("", "equity-postgres-") //nolint:usetesting // t.TempDir is not accessible for the user of PostgreSQL
	if err != nil {
		t.Fatal(err)
	}
	Cleanup(t, func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	return &Server{programs: programs(t), folder: folder, port: FreePort(t)}
}

// programs returns the folder of the newest installed version.
func programs(t *testing.T) string {
	t.Helper()
	folder, err := postgresPrograms()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func postgresPrograms() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.Sort(found)
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("initdb is missing: run the tests with .ci/with-services, which installs PostgreSQL: %w", err)
	}
	return filepath.Dir(path), nil
}

// Folder returns the path of a file or folder of the server.
func (s *Server) Folder(name string) string { return filepath.Join(s.folder, name) }

// Host returns the host and the port.
func (s *Server) Host() string { return "127.0.0.1:" + s.port }

// Address returns the address of the database.
func (s *Server) Address() string {
	return "postgres://equity@" + s.Host() + "/postgres?sslmode=disable"
}

// Initialize creates a folder of data.
func (s *Server) Initialize(t *testing.T, data string) {
	t.Helper()
	s.run(t, "initdb", "-D", s.Folder(data), "-U", "equity", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
}

// Copy copies the data of the running server into another folder.
func (s *Server) Copy(t *testing.T, data string) {
	t.Helper()
	s.run(t, "pg_basebackup", "-D", s.Folder(data), "-h", "127.0.0.1", "-p", s.port, "-U", "equity", "--checkpoint=fast")
}

// Configure adds lines to the configuration.
func (s *Server) Configure(t *testing.T, data string, lines ...string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(s.Folder(data), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	if failed := file.Close(); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
}

// Start starts the server and waits until it accepts connections.
func (s *Server) Start(t *testing.T, data string) {
	t.Helper()
	s.run(t, "pg_ctl", "-D", s.Folder(data), "-l", s.Folder("server.log"), "-s", "-w", "-o",
		"-p "+s.port+" -k "+s.folder+" -c listen_addresses=127.0.0.1 -c fsync=off", "start")
}

// Stop stops the server in order.
func (s *Server) Stop(t *testing.T, data string) {
	t.Helper()
	s.run(t, "pg_ctl", "-D", s.Folder(data), "-m", "fast", "-s", "-w", "stop")
}

// run runs a program of PostgreSQL.
func (s *Server) run(t *testing.T, program string, arguments ...string) {
	t.Helper()
	run := s.Command(program, arguments...)
	log, err := os.Create(s.Folder(program + ".out")) // a server that inherits a pipe would keep it open
	if err != nil {
		t.Fatal(err)
	}
	run.Stdout, run.Stderr = log, log
	err = run.Run()
	_ = log.Close()
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		server, _ := os.ReadFile(s.Folder("server.log"))
		t.Fatalf("%s: %v\n%s%s", run, err, text, server)
	}
}

// Command returns the command of a program, with those of PostgreSQL in its path. PostgreSQL refuses to run as root: its own user runs it then. The
// process of the command is that of the program.
func (s *Server) Command(program string, arguments ...string) *exec.Cmd {
	line := append([]string{"env", "PATH=" + s.programs + string(os.PathListSeparator) + os.Getenv("PATH"), program}, arguments...)
	if os.Getuid() == 0 {
		line = append([]string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"}, line...)
	}
	command := exec.Command(line[0], line[1:]...)
	command.Dir = "/"
	return command
}

// Query returns the only value of a statement.
func (s *Server) Query(t *testing.T, statement string) (text string) {
	t.Helper()
	db, err := sql.Open("pgx", s.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRowContext(t.Context(), statement).Scan(&text); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return text
}
