package scan_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"equity/features/scan"
)

// eicar returns the standard test file of virus scanners. It is not stored in one piece, so that scanners accept this file.
func eicar() string {
	return `X5O!P%@AP[4\PZX54(P^)7CC)7}$` + `EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
}

// open returns the client of the scanner of the tests.
func open(t *testing.T) *scan.Client {
	t.Helper()
	address := os.Getenv("TEST_SCAN_URL")
	if address == "" {
		t.Fatal("set TEST_SCAN_URL to a clamd server, or run the tests with `make test`")
	}
	client, err := scan.NewClient(address)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestServerAnswers(t *testing.T) {
	t.Parallel()
	if err := open(t).Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMalwareIsFoundAnywhereInTheContent(t *testing.T) {
	t.Parallel()
	client := open(t)
	padding := strings.Repeat("harmless ", 1<<16)
	for name, content := range map[string]string{"alone": eicar(), "at the end of 600 KB": padding + eicar(), "between": padding + eicar() + padding} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			malware, err := client.Scan(t.Context(), strings.NewReader(content))
			if err != nil || malware == "" {
				t.Errorf("%q %v", malware, err)
			}
		})
	}
}

func TestHarmlessContentIsClean(t *testing.T) {
	t.Parallel()
	client := open(t)
	for name, content := range map[string]string{
		"empty": "", "text": "hello", "1 MB": strings.Repeat("x", 1<<20), "one part": strings.Repeat("x", 64<<10),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if malware, err := client.Scan(t.Context(), strings.NewReader(content)); err != nil || malware != "" {
				t.Errorf("%q %v", malware, err)
			}
		})
	}
}

func TestContentBeyondTheLimitOfTheServerIsNoCleanOne(t *testing.T) {
	t.Parallel()
	const beyond = 26 << 20 // StreamMaxLength is 25 MB
	malware, err := open(t).Scan(t.Context(), io.LimitReader(zeros{}, beyond))
	if err == nil {
		t.Errorf("the result is %q", malware)
	}
}

// zeros is a content without an end.
type zeros struct{}

func (zeros) Read(into []byte) (int, error) {
	clear(into)
	return len(into), nil
}

func TestUnreadableContentIsNoCleanOne(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk")
	if _, err := open(t).Scan(t.Context(), iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// answering returns the client of a server that reads everything it can, and sends the answer.
func answering(t *testing.T, answer string) *scan.Client {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte(answer))
			if answer == "" {
				<-t.Context().Done() // it hangs
			}
			_, _ = io.CopyN(io.Discard, conn, 19) // the command, an empty part and the length of the end
			_ = conn.Close()
		}
	}()
	client, err := scan.NewClient("tcp://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestStrangeAnswerIsNoCleanContent(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"stream: OK", "stream: FOUND\x00", "ERROR\x00", "\x00", strings.Repeat("x", 1<<16), "stream: NOT OK\x00"} {
		if malware, err := answering(t, answer).Scan(t.Context(), bytes.NewReader([]byte("abc"))); err == nil {
			t.Errorf("%.20q: the result is %q", answer, malware)
		}
	}
}

func TestHangingServerEndsWithTheContext(t *testing.T) {
	t.Parallel()
	client := answering(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := client.Scan(ctx, strings.NewReader("abc"))
		result <- err
	}()
	cancel()
	if err := <-result; err == nil {
		t.Error("the scan succeeded")
	}
}

func TestAddressIsChecked(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "127.0.0.1:3310", "http://127.0.0.1:3310", "tcp://127.0.0.1", "tcp:///x", "unix://", "tcp://[::1"} {
		if _, err := scan.NewClient(address); err == nil {
			t.Errorf("%q was accepted", address)
		}
	}
}
