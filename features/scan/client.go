package scan

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"
)

// ErrTooLarge reports a content beyond the limit of the scanner (StreamMaxLength).
var ErrTooLarge = errors.New("the content is larger than the scanner accepts")

// The limits of a scan.
const (
	scanTime = time.Minute
	dialTime = 5 * time.Second
	pingTime = 5 * time.Second
	// partSize is the size of the parts in which a content is sent.
	partSize = 64 << 10
	// mostAnswer bounds the answer, which is one line.
	mostAnswer = 4 << 10
)

// Client makes scans with a clamd server. It is safe for concurrent use.
type Client struct{ network, address string }

// NewClient returns the client of a server such as tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl. It makes no call.
func NewClient(address string) (*Client, error) {
	parsed, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("SCAN_URL: %w", err)
	case parsed.Scheme == "tcp" && parsed.Host != "" && parsed.Port() != "":
		return &Client{"tcp", parsed.Host}, nil
	case parsed.Scheme == "unix" && parsed.Path != "":
		return &Client{"unix", parsed.Path}, nil
	}
	return nil, errAddress
}

var errAddress = errors.New("SCAN_URL: use tcp://host:port or unix:///path")

// Ping returns an error if the server does not answer.
func (c *Client) Ping(ctx context.Context) error {
	conn, end, err := c.dial(ctx, pingTime)
	if err != nil {
		return err
	}
	defer end()
	if _, err := conn.Write([]byte("zPING\x00")); err != nil {
		return fmt.Errorf("scanner: %w", err)
	}
	answer, err := readAnswer(conn)
	if err == nil && answer != "PONG" {
		err = fmt.Errorf("scanner: %w: %q", errAnswer, answer)
	}
	return err
}

var errAnswer = errors.New("unexpected answer")

// Scan returns the name of the malware in the content; empty for a clean content.
func (c *Client) Scan(ctx context.Context, content io.Reader) (malware string, err error) {
	conn, end, err := c.dial(ctx, scanTime)
	if err != nil {
		return "", err
	}
	defer end()
	sent := send(conn, content)
	if errors.Is(sent, errContent) {
		return "", sent
	}
	answer, err := readAnswer(conn) // also after a failed write: a server that refuses a content closes its side
	if err != nil {
		return "", errors.Join(sent, err)
	}
	return verdict(answer)
}

// verdict reads an answer such as "stream: OK" or "stream: Eicar-Test FOUND".
func verdict(answer string) (malware string, err error) {
	text := strings.TrimPrefix(answer, "stream: ")
	name, found := strings.CutSuffix(text, " FOUND")
	switch {
	case text == "OK":
		return "", nil
	case found && name != "":
		return name, nil
	case strings.Contains(answer, "size limit exceeded"):
		return "", ErrTooLarge
	}
	return "", fmt.Errorf("scanner: %w: %q", errAnswer, answer)
}

// dial opens a connection that ends with the context or after the time.
func (c *Client) dial(ctx context.Context, limit time.Duration) (net.Conn, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	dialer := net.Dialer{Timeout: dialTime}
	conn, err := dialer.DialContext(ctx, c.network, c.address)
	if err != nil {
		cancel()
		return nil, nil, fmt.Errorf("scanner: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) }) // a time in the past ends all calls
	return conn, func() {
		stop()
		cancel()
		_ = conn.Close()
	}, nil
}

var errContent = errors.New("content not read")

// send sends the content in parts with their lengths; a length of 0 ends it.
func send(to io.Writer, content io.Reader) error {
	if _, err := to.Write([]byte("zINSTREAM\x00")); err != nil {
		return fmt.Errorf("scanner: %w", err)
	}
	const head = 4
	part := make([]byte, head+partSize)
	for {
		size, err := io.ReadFull(content, part[head:])
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("%w: %w", errContent, err)
		}
		if size > 0 {
			binary.BigEndian.PutUint32(part, uint32(size)) //nolint:gosec // at most partSize
			if _, err := to.Write(part[:head+size]); err != nil {
				return fmt.Errorf("scanner: %w", err)
			}
		}
		if err != nil {
			_, err := to.Write(make([]byte, head))
			return wrapped(err)
		}
	}
}

func wrapped(err error) error {
	if err != nil {
		return fmt.Errorf("scanner: %w", err)
	}
	return nil
}

// readAnswer returns the line that the server sends before it closes the connection.
func readAnswer(from io.Reader) (string, error) {
	answer, err := io.ReadAll(io.LimitReader(from, mostAnswer))
	if text, _, complete := bytes.Cut(answer, []byte{0}); complete {
		return string(text), nil
	}
	if err == nil {
		err = io.ErrUnexpectedEOF
	}
	return "", fmt.Errorf("scanner: %w", err)
}
