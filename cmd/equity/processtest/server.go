package processtest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The program, built once for all tests: with the race detector, and as it is released, as a static program without C.
var (
	programs = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "equity-program") })
	guarded  = sync.OnceValues(func() (string, error) {
		return build("guarded", "CGO_ENABLED=1", strings.Fields(cmp.Or(os.Getenv("RACE"), "-race"))...)
	})
	plain = sync.OnceValues(func() (string, error) { return build("plain", "CGO_ENABLED=0") })
)

func build(name, variable string, flags ...string) (string, error) {
	directory, err := programs()
	if err != nil {
		return "", err
	}
	binary := filepath.Join(directory, name)
	arguments := append(append([]string{"build"}, flags...), "-o", binary, "equity/cmd/equity")
	command := exec.CommandContext(context.Background(), "go", arguments...)
	command.Env = append(os.Environ(), variable)
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
}

// RemovePrograms removes the built programs after the last test.
func RemovePrograms() error {
	directory, err := programs()
	if err != nil {
		return err
	}
	return os.RemoveAll(directory)
}

// Program returns the path of the program, built with the race detector.
func Program(t *testing.T) string {
	t.Helper()
	return path(t, guarded)
}

// PlainProgram returns the path of the program as it is released: static, and without the race detector, which makes it
// several times slower.
func PlainProgram(t *testing.T) string {
	t.Helper()
	return path(t, plain)
}

func path(t *testing.T, built func() (string, error)) string {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// Settings are the environment of one deployment. Its servers share a store.
type Settings map[string]string

// With returns a copy of the settings with one change.
func (s Settings) With(name, value string) Settings {
	changed := Settings{name: value}
	for other, kept := range s {
		if other != name {
			changed[other] = kept
		}
	}
	return changed
}

func (s Settings) environment() []string {
	list := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TZ=UTC"}
	for name, value := range s {
		list = append(list, name+"="+value)
	}
	return list
}

// Server is one running process of the program.
type Server struct {
	// URL is the address of the server.
	URL      string
	metrics  string // the address of its metrics
	settings Settings
	command  *exec.Cmd
	log      *logBuffer
	ended    chan struct{}
	status   error
}

// logBuffer stores the log of a process for failing tests.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Start starts a server and waits until it is ready. It is killed at the end of the test.
func Start(t *testing.T, settings Settings) *Server {
	t.Helper()
	return start(t, settings, Program(t))
}

// StartPlain is Start with the program as it is released.
func StartPlain(t *testing.T, settings Settings) *Server {
	t.Helper()
	return start(t, settings, PlainProgram(t))
}

// StartGateway starts the gateway of inbound hooks of a server. It is killed at the end of the test.
func StartGateway(t *testing.T, settings Settings) *Server {
	t.Helper()
	s := launch(t, settings.With("HOOKS_LISTEN", "127.0.0.1:0"), Program(t), "gateway")
	s.waitReady(t, receiving, "/healthz")
	return s
}

func start(t *testing.T, settings Settings, program string) *Server {
	t.Helper()
	s := launch(t, settings, program, "serve")
	s.waitReady(t, serving, "/readyz")
	return s
}

// launch starts a command of the program.
func launch(t *testing.T, settings Settings, program, command string) *Server {
	t.Helper()
	s := &Server{settings: settings, log: &logBuffer{}, ended: make(chan struct{})}
	s.command = exec.Command(program, command)
	s.command.Env = settings.With("LISTEN", cmp.Or(settings["LISTEN"], "127.0.0.1:0")).With("METRICS_LISTEN", "127.0.0.1:0").environment()
	s.command.Stdout, s.command.Stderr = s.log, s.log
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		s.status = s.command.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			t.Logf("log of %s:\n%.20000s", s.URL, s.log.String())
		}
		if text := s.log.String(); bytes.Contains([]byte(text), []byte("DATA RACE")) {
			t.Errorf("the race detector spoke:\n%.20000s", text)
		}
		for _, secret := range SecretsIn(s.log.String(), settings) {
			t.Errorf("the log of %s holds a secret: %s", s.URL, secret)
		}
	})
	return s
}

// readyWithin only ends the wait for a server that hangs: with the race detector and beside other tests, a start takes many seconds.
const readyWithin = 3 * time.Minute

// The lines of the log with the addresses that the system chose.
var (
	serving   = regexp.MustCompile(`msg=serving address=(\S+) metrics=(\S+)`)
	receiving = regexp.MustCompile(`msg="receiving hooks" address=(\S+)()`)
)

func (s *Server) waitReady(t *testing.T, begun *regexp.Regexp, path string) {
	t.Helper()
	for deadline := time.Now().Add(readyWithin); time.Now().Before(deadline); {
		if found := begun.FindStringSubmatch(s.log.String()); found != nil {
			s.URL, s.metrics = found[1], found[2]
			if response, err := http.Get(s.URL + path); err == nil {
				_ = response.Body.Close()
				if response.StatusCode == http.StatusOK {
					return
				}
			}
		}
		select {
		case <-s.ended:
			t.Fatalf("the server ended: %v\n%s", s.status, s.log.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("the server was not ready within %s\n%s", readyWithin, s.log.String())
}

// Kill ends the process immediately, like a power failure.
func (s *Server) Kill() {
	_ = s.command.Process.Kill()
	<-s.ended
}

// Pause stops the execution of the process until Continue.
func (s *Server) Pause(t *testing.T) {
	t.Helper()
	s.signal(t, syscall.SIGSTOP)
}

// Continue continues a paused process.
func (s *Server) Continue(t *testing.T) {
	t.Helper()
	s.signal(t, syscall.SIGCONT)
}

func (s *Server) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := s.command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// Stop requests an orderly stop and returns the exit error. It fails if the process
// exceeds the limit.
func (s *Server) Stop(t *testing.T, limit time.Duration) error {
	t.Helper()
	s.signal(t, syscall.SIGTERM)
	return s.Ended(t, limit)
}

// HasEnded reports whether the process has ended.
func (s *Server) HasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// Ended waits for the end of the process and returns the exit error. It fails if the process exceeds the limit.
func (s *Server) Ended(t *testing.T, limit time.Duration) error {
	t.Helper()
	select {
	case <-s.ended:
		return s.status
	case <-time.After(limit):
		t.Fatalf("the server did not end within %s\n%s", limit, s.log.String())
		return nil
	}
}

// Verify runs `equity verify` on the whole store and fails if it finds a fault.
func Verify(t *testing.T, settings Settings) {
	t.Helper()
	VerifyWith(t, settings, Program(t))
}

// VerifyWith is Verify with another build of the program.
func VerifyWith(t *testing.T, settings Settings, program string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, "verify")
	command.Env = settings.environment()
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("verify: %v\n%s", err, out)
	}
}

// Run runs one command of the program to its end and returns its output.
func Run(t *testing.T, settings Settings, arguments ...string) (string, error) {
	t.Helper()
	return RunWith(t, settings, Program(t), arguments...)
}

// RunWith is Run with another build of the program.
func RunWith(t *testing.T, settings Settings, program string, arguments ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Env = settings.environment()
	out, err := command.CombinedOutput()
	return string(out), err
}
