package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// request is an encoded request. It is encoded once and sent many times,
// because the load client should use little processor time.
type request []byte

func newRequest(method, path, host, cookie string, body []byte, headers ...string) request {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nCookie: connect.sid=%s\r\n", method, path, host, cookie)
	for _, header := range headers {
		b.WriteString(header + "\r\n")
	}
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// result is the result of one load.
type result struct {
	done    int64
	elapsed time.Duration
}

// rate returns requests per second.
func (r result) rate() float64 { return float64(r.done) / r.elapsed.Seconds() }

// load sends requests from concurrent callers for a duration, each waiting for its response
// before the next request, and counts the responses. Refusals because of overload are not counted. Any other unexpected status ends the load.
func load(ctx context.Context, address string, callers int, d time.Duration, status int, next func(caller int) request) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, d+30*time.Second)
	defer cancel()
	connections := make([]*connection, callers)
	for i := range connections {
		c, err := dial(ctx, address)
		if err != nil {
			return result{}, err
		}
		defer c.close()
		connections[i] = c
	}
	var done atomic.Int64
	var failure atomic.Pointer[error]
	var group sync.WaitGroup
	begin := time.Now()
	end := begin.Add(d)
	for i, c := range connections {
		group.Go(func() {
			for time.Now().Before(end) && failure.Load() == nil {
				err := c.exchange(next(i), status)
				switch {
				case err == nil:
					done.Add(1)
				case !errors.Is(err, errBusy):
					failure.CompareAndSwap(nil, &err)
					return
				}
			}
		})
	}
	group.Wait()
	if err := failure.Load(); err != nil {
		return result{}, *err
	}
	return result{done.Load(), time.Since(begin)}, nil
}

// connection is a kept-alive HTTP connection that parses only the status and the length of
// a response.
type connection struct {
	net.Conn
	reader *bufio.Reader
}

func dial(ctx context.Context, address string) (*connection, error) {
	return dialSized(ctx, address, 64<<10) //nolint:mnd // a cap table in few reads
}

// dialSized connects with a buffer of so many bytes for answers.
func dialSized(ctx context.Context, address string, buffer int) (*connection, error) {
	var dialer net.Dialer
	c, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	if deadline, ok := ctx.Deadline(); ok {
		if err := c.SetDeadline(deadline); err != nil {
			return nil, err
		}
	}
	return &connection{Conn: c, reader: bufio.NewReaderSize(c, buffer)}, nil
}

func (c *connection) close() { _ = c.Close() }

// exchange sends the request and reads the whole response.
func (c *connection) exchange(r request, status int) error {
	_, _, err := c.answer(r, status, false)
	return err
}

// answer returns the ETag of the response and, if wanted, its body.
func (c *connection) answer(r request, status int, wanted bool) (etag string, body []byte, err error) {
	if _, err := c.Write(r); err != nil {
		return "", nil, fmt.Errorf("send: %w", err)
	}
	return c.read(status, wanted)
}

// receive reads the next answer to its end.
func (c *connection) receive(status int) error {
	_, _, err := c.read(status, false)
	return err
}

func (c *connection) read(status int, wanted bool) (etag string, body []byte, err error) {
	line, err := c.line()
	if err != nil {
		return "", nil, err
	}
	if len(line) < 12 {
		return "", nil, errAnswer
	}
	got, _ := strconv.Atoi(string(line[9:12]))
	length, etag, err := c.headers(got)
	if err != nil {
		return "", nil, err
	}
	if wanted || got != status {
		body = make([]byte, length)
		_, err = io.ReadFull(c.reader, body)
	} else {
		_, err = c.reader.Discard(length)
	}
	if err == nil && got == 503 && status != got {
		err = errBusy
	} else if err == nil && got != status {
		err = fmt.Errorf("%w %d, not %d: %.300s", errStatus, got, status, body)
	}
	return etag, body, err
}

var (
	errStatus = errors.New("status")
	errBusy   = fmt.Errorf("%w: the server is overloaded", errStatus)
)

var errAnswer = errors.New("bench: not an HTTP answer of known length")

func (c *connection) headers(status int) (length int, etag string, err error) {
	length = -1
	for {
		line, err := c.line()
		if err != nil {
			return 0, "", err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			length, err = strconv.Atoi(string(value))
			if err != nil {
				return 0, "", errAnswer
			}
		case bytes.EqualFold(name, []byte("Etag")):
			etag = string(value)
		}
	}
	if length < 0 {
		if status != 304 && status != 204 {
			return 0, "", errAnswer
		}
		length = 0
	}
	return length, etag, nil
}

func (c *connection) line() ([]byte, error) {
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("receive: %w", err)
	}
	return bytes.TrimRight(line, "\r\n"), nil
}
