package mail_test

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"equity/actors/mail"
	"equity/messages"
)

func letter() messages.Mail {
	return messages.Mail{
		ID: [16]byte{1, 2, 3}, To: "ada@example.com", Subject: "Bestätigung ✓", Text: "Grüße", HTML: "<p>Grüße</p>",
		CreatedAt: time.Date(2024, 3, 15, 10, 0, 0, 0, time.UTC),
	}
}

// server is an SMTP server in the test process that stores received messages.
type server struct{ received chan received }

type received struct {
	from, to string
	data     []byte
}

func (s *server) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }

type session struct {
	server *server
	mail   received
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error { s.mail.from = from; return nil }
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if strings.HasPrefix(to, "nobody") {
		return &smtp.SMTPError{Code: 550, Message: "no such mailbox"}
	}
	if strings.HasPrefix(to, "busy") {
		return &smtp.SMTPError{Code: 450, Message: "try again later"}
	}
	s.mail.to = to
	return nil
}

func (s *session) Data(r io.Reader) (err error) {
	s.mail.data, err = io.ReadAll(r)
	s.server.received <- s.mail
	return err
}
func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

func startServer(t *testing.T) (*server, mail.SMTP) {
	t.Helper()
	return startServerWith(t, nil)
}

// startServerWith starts a server with STARTTLS if a TLS configuration is given.
func startServerWith(t *testing.T, protection *tls.Config) (*server, mail.SMTP) {
	t.Helper()
	backend := &server{received: make(chan received, 4)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	running := smtp.NewServer(backend)
	running.Domain, running.TLSConfig = "localhost", protection
	go func() { _ = running.Serve(listener) }()
	t.Cleanup(func() { _ = running.Close() })
	address, _ := listener.Addr().(*net.TCPAddr)
	return backend, mail.SMTP{Host: "127.0.0.1", Port: address.Port, Security: mail.Plain, From: "Equity <no-reply@example.com>"}
}

func TestSMTP(t *testing.T) {
	t.Parallel()
	t.Run("a message arrives whole at its recipient", func(t *testing.T) {
		t.Parallel()
		backend, transport := startServer(t)
		if err := transport.Send(t.Context(), letter()); err != nil {
			t.Fatal(err)
		}
		got := <-backend.received
		if got.from != "no-reply@example.com" || got.to != "ada@example.com" {
			t.Errorf("envelope %s → %s", got.from, got.to)
		}
		checkMessage(t, got.data)
	})
	t.Run("a refused recipient is an error", func(t *testing.T) {
		t.Parallel()
		_, transport := startServer(t)
		refused := letter()
		refused.To = "nobody@example.com"
		if err := transport.Send(t.Context(), refused); !errors.Is(err, mail.ErrRefused) {
			t.Errorf("%v for a refused recipient", err)
		}
		refused.To = "busy@example.com"
		if err := transport.Send(t.Context(), refused); err == nil || errors.Is(err, mail.ErrRefused) {
			t.Errorf("%v for a temporary refusal", err)
		}
	})
	t.Run("a server without TLS is refused when TLS is demanded", func(t *testing.T) {
		t.Parallel()
		_, transport := startServer(t)
		for _, transport.Security = range []mail.Security{mail.StartTLS, mail.ImplicitTLS} {
			if err := transport.Send(t.Context(), letter()); err == nil {
				t.Errorf("by %s the message went out unprotected", transport.Security)
			}
		}
	})
	t.Run("a server with an untrusted certificate gets no message", func(t *testing.T) {
		t.Parallel()
		certified := httptest.NewTLSServer(nil) // provides a certificate of an unknown authority
		certified.Close()
		backend, transport := startServerWith(t, &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12})
		transport.Security = mail.StartTLS
		unknown := new(tls.CertificateVerificationError)
		if err := transport.Send(t.Context(), letter()); !errors.As(err, &unknown) {
			t.Errorf("%v", err)
		}
		transport.Security = mail.Plain
		if err := transport.Send(t.Context(), letter()); err != nil {
			t.Fatalf("the server itself works: %v", err)
		}
		checkMessage(t, (<-backend.received).data)
	})
	t.Run("a line break in a subject or recipient makes no header", func(t *testing.T) {
		t.Parallel()
		backend, transport := startServer(t)
		forged := letter()
		forged.Subject = "Hello\r\nBcc: eve@example.com"
		if err := transport.Send(t.Context(), forged); err != nil {
			return // a refusal is acceptable
		}
		message, err := netmail.ReadMessage(bytes.NewReader((<-backend.received).data))
		if err != nil {
			t.Fatal(err)
		}
		if message.Header.Get("Bcc") != "" {
			t.Error("a header was injected through the subject")
		}
	})
}

func TestFiles(t *testing.T) {
	t.Parallel()
	t.Run("a message becomes one file that a mail program can read", func(t *testing.T) {
		t.Parallel()
		directory := filepath.Join(t.TempDir(), "mail")
		if err := (mail.Files{Directory: directory, From: "no-reply@localhost"}).Send(t.Context(), letter()); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(directory, "*"))
		if err != nil || len(files) != 1 {
			t.Fatalf("files %v, %v; want one", files, err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		checkMessage(t, data)
	})
	t.Run("messages of one moment become a file each", func(t *testing.T) {
		t.Parallel()
		directory, other := t.TempDir(), letter()
		other.ID[15] = 1
		for _, one := range []messages.Mail{letter(), other} {
			if err := (mail.Files{Directory: directory, From: "no-reply@localhost"}).Send(t.Context(), one); err != nil {
				t.Fatal(err)
			}
		}
		if files, _ := filepath.Glob(filepath.Join(directory, "*.eml")); len(files) != 2 {
			t.Errorf("%v", files)
		}
	})
	t.Run("a bad recipient is an error and leaves no file", func(t *testing.T) {
		t.Parallel()
		directory := t.TempDir()
		bad := letter()
		bad.To = "not an address"
		if err := (mail.Files{Directory: directory, From: "no-reply@localhost"}).Send(t.Context(), bad); err == nil {
			t.Error("no error for a bad recipient")
		}
		if files, _ := filepath.Glob(filepath.Join(directory, "*")); len(files) != 0 {
			t.Errorf("left %v", files)
		}
	})
}

func checkMessage(t *testing.T, data []byte) {
	t.Helper()
	message, err := netmail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if id := message.Header.Get("Message-Id"); !strings.HasPrefix(id, "<010203") {
		t.Errorf("message id %q is not the mail's own", id)
	}
	if message.Header.Get("User-Agent")+message.Header.Get("X-Mailer") != "" {
		t.Error("the message names the program that created it")
	}
	if !strings.Contains(string(data), "multipart/alternative") || !strings.Contains(string(data), "text/html") {
		t.Error("the HTML alternative is missing")
	}
}
