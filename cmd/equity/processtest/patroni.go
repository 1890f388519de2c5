package processtest

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"equity/persistence/storetest"
)

// Patroni is a primary and its synchronous standby under Patroni and etcd, with the configuration of deploy/compose. Only its times are shorter.
type Patroni struct {
	Primary, Standby *Database
	// Link is the connection of the standby to the primary.
	Link *storetest.Proxy
}

// shipped is the folder of the configuration.
const shipped = "../../../deploy/compose"

// databasePassword needs quotes in SQL and in a shell.
const databasePassword = "it's a password"

// StartPatroni starts etcd and both servers, and waits until the standby is synchronous. Everything is killed at the end of the test.
func StartPatroni(t *testing.T) *Patroni {
	t.Helper()
	etcd := startEtcd(t)
	p := &Patroni{Primary: newDatabase(t, "db1", etcd), Standby: newDatabase(t, "db2", etcd)}
	p.Link = storetest.NewProxy(t, p.Primary.server.Host())
	p.Primary.published = p.Link.Address()
	p.Primary.Start(t)
	p.Primary.Await(t, "/primary")
	p.Standby.Start(t)
	p.Standby.Await(t, "/sync")
	return p
}

// Address returns the address of the database, with both servers. On a busy machine, a sign-in can take longer than a server may be silent by default.
func (p *Patroni) Address() string {
	user := url.UserPassword("equity", databasePassword)
	return "postgres://" + user.String() + "@" + p.Primary.server.Host() + "," + p.Standby.server.Host() +
		"/equity?sslmode=disable&connect_timeout=3&target_session_attrs=read-write"
}

// startEtcd starts etcd and returns its address, host:port.
func startEtcd(t *testing.T) string {
	t.Helper()
	clients, peers := "127.0.0.1:"+storetest.FreePort(t), "http://127.0.0.1:"+storetest.FreePort(t)
	command := exec.Command("etcd", "--data-dir", filepath.Join(t.TempDir(), "etcd"), "--unsafe-no-fsync",
		"--listen-client-urls", "http://"+clients, "--advertise-client-urls", "http://"+clients,
		"--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "default="+peers)
	log := &logBuffer{}
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatalf("etcd: %v; run the tests with .ci/with-services, which installs it", err)
	}
	storetest.Cleanup(t, func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("log of etcd:\n%.5000s", log.String())
		}
	})
	return clients
}

// Database is a PostgreSQL server and its Patroni.
type Database struct {
	server  *storetest.Server
	etcd    string
	name    string
	control string // host:port of the REST API of Patroni
	// published is the address for the other server, host:port.
	published string
	command   *exec.Cmd
	log       *logBuffer
}

func newDatabase(t *testing.T, name, etcd string) *Database {
	t.Helper()
	server := storetest.NewServer(t)
	d := &Database{
		server: server, etcd: etcd, name: name, control: "127.0.0.1:" + storetest.FreePort(t), published: server.Host(), log: &logBuffer{},
	}
	for _, file := range []string{"patroni.yaml", "database.sql"} {
		text, err := os.ReadFile(filepath.Join(shipped, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(server.Folder(file), []byte(d.configured(t, file, string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Cleanup(t, func() {
		d.Kill()
		if t.Failed() {
			t.Logf("log of %s:\n%.20000s", name, d.log.String())
		}
	})
	return d
}

// configured returns the text of a shipped file with the times and the paths of a test.
func (d *Database) configured(t *testing.T, file, text string) string {
	t.Helper()
	if file != "patroni.yaml" {
		return text
	}
	for _, change := range [][2]string{
		{" ttl: 20\n", " ttl: 5\n"},
		{" loop_wait: 5\n", " loop_wait: 1\n"},
		{" retry_timeout: 5\n", " retry_timeout: 2\n"},
		{" parameters:\n", " parameters:\n        fsync: 'off'\n        unix_socket_directories: " + d.server.Folder("") + "\n"},
		{" /etc/patroni/database.sql\n", " " + d.server.Folder("database.sql") + "\n"},
	} {
		if strings.Count(text, change[0]) != 1 {
			t.Fatalf("%s does not contain %q once", file, change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return text
}

// Start starts Patroni, which starts PostgreSQL.
func (d *Database) Start(t *testing.T) {
	t.Helper()
	d.command = d.server.Command("patroni", d.server.Folder("patroni.yaml"))
	d.command.Env = d.environment(t)
	d.command.Stdout, d.command.Stderr = d.log, d.log
	d.command.WaitDelay = time.Second // PostgreSQL has the same output
	if err := d.command.Start(); err != nil {
		t.Fatalf("patroni: %v; run the tests with .ci/with-services, which installs it", err)
	}
}

// environment returns that of the compose file with the addresses and paths of the test.
func (d *Database) environment(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shipped, "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var project struct {
		Services map[string]struct{ Environment map[string]string }
	}
	if err := yaml.Unmarshal(text, &project); err != nil {
		t.Fatal(err)
	}
	variables := Settings(project.Services[d.name].Environment)
	for name, value := range variables {
		variables[name] = strings.ReplaceAll(value, "${DATABASE_PASSWORD:?}", databasePassword)
	}
	for name, value := range map[string]string{
		"PATRONI_ETCD3_HOSTS": d.etcd, "PATRONI_RESTAPI_LISTEN": d.control, "PATRONI_RESTAPI_CONNECT_ADDRESS": d.control,
		"PATRONI_POSTGRESQL_LISTEN": d.server.Host(), "PATRONI_POSTGRESQL_CONNECT_ADDRESS": d.published,
		"PATRONI_POSTGRESQL_DATA_DIR": d.server.Folder("main"), "PATRONI_POSTGRESQL_PGPASS": d.server.Folder("pgpass"),
	} {
		if variables[name] == "" {
			t.Fatalf("%s of the compose file has no %s", d.name, name)
		}
		variables[name] = value
	}
	return variables.With("HOME", d.server.Folder("")).environment()
}

// Await waits until Patroni answers a request with 200. The paths /primary and /sync ask for the role of the server.
func (d *Database) Await(t *testing.T, path string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if response, err := http.Get("http://" + d.control + path); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatalf("%s does not answer %s with 200", d.name, path)
}

// Kill kills Patroni and PostgreSQL, which is like the end of their machine with a network that refuses connections.
func (d *Database) Kill() {
	if d.command == nil {
		return
	}
	d.signal(syscall.SIGKILL)
	_ = d.command.Wait()
	d.command = nil
}

// Pause stops the execution of Patroni and PostgreSQL. The addresses accept connections and do not answer.
func (d *Database) Pause() { d.signal(syscall.SIGSTOP) }

// signal sends a signal to Patroni and to all processes of PostgreSQL.
func (d *Database) signal(signal syscall.Signal) {
	_ = d.command.Process.Signal(signal)
	postmaster, running := d.postmaster()
	if !running {
		return
	}
	_ = syscall.Kill(postmaster, syscall.SIGSTOP) // it starts no further processes
	for _, child := range children(postmaster) {
		_ = syscall.Kill(child, signal)
	}
	_ = syscall.Kill(postmaster, signal)
}

// postmaster returns the id of the first process of PostgreSQL. Its file remains after a kill, when the id may be that of another process.
func (d *Database) postmaster() (id int, running bool) {
	text, _ := os.ReadFile(filepath.Join(d.server.Folder("main"), "postmaster.pid"))
	first, _, _ := strings.Cut(string(text), "\n")
	id, err := strconv.Atoi(first)
	if err != nil {
		return 0, false
	}
	arguments, err := os.ReadFile("/proc/" + first + "/cmdline")
	return id, err == nil && strings.Contains(string(arguments), d.server.Folder("main"))
}

// children returns the ids of the children of a process. It requires Linux.
func children(parent int) (found []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the process has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ") // after the name: the state and the id of the parent, see proc(5)
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			id, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			found = append(found, id)
		}
	}
	return found
}
