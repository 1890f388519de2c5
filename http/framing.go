package http

import (
	"bytes"
	"errors"
	"net"
	"strconv"
)

// StrictFraming refuses requests of ambiguous length: a length together with a transfer
// encoding, several lengths, or a transfer encoding other than chunked. The server in net/http
// removes these headers before a handler can see them, so the connection is the place of the
// check. The server answers the refused request with 400 and closes the connection. The listener must accept
// HTTP/1 without encryption: encrypted bytes are soon taken for an ambiguous line.
func StrictFraming(l net.Listener) net.Listener { return strictListener{l} }

type strictListener struct{ net.Listener }

// Accept checks the framing of every request on the next connection.
func (l strictListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err //nolint:wrapcheck // the server distinguishes temporary errors
	}
	return &strictConn{Conn: conn}, nil
}

// strictConn follows the bytes that the server reads.
type strictConn struct {
	net.Conn
	framing framing
	failed  error
}

// Read returns the bytes before the first ambiguous line, and an error from then on. The server
// closes a reused connection without an answer unless it has read the first bytes of the request.
func (c *strictConn) Read(p []byte) (int, error) {
	if c.failed != nil {
		return 0, c.failed
	}
	n, err := c.Conn.Read(p)
	passed, ambiguous := c.framing.follow(p[:n])
	if c.failed = ambiguous; ambiguous != nil && passed > 0 {
		return passed, nil
	}
	if ambiguous != nil {
		return 0, ambiguous
	}
	return n, err //nolint:wrapcheck // the server distinguishes the errors of a connection
}

// CloseWrite lets the peer read the last answer before the connection ends.
func (c *strictConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite() //nolint:wrapcheck // the connection's own error
	}
	return nil
}

// framing knows the position of a byte within a sequence of HTTP/1 requests.
type framing struct {
	next func(*framing, []byte) error // interprets a complete line; nil for a request line
	line []byte                       // the incomplete line
	skip int64                        // bytes of a body or chunk that are not inspected

	old, chunked, measured bool // HTTP/1.0, Transfer-Encoding, Content-Length
	length                 int64
}

// between reports whether the next byte begins a request.
func (f *framing) between() bool {
	return f.skip == 0 && len(f.line) == 0 && f.next == nil
}

// lineAtMost is above the limit of the server for all headers, which answers 431.
const lineAtMost = 128 << 10

var errFraming = errors.New("the length of the request is ambiguous")

// follow inspects the next bytes of the connection. With an error it returns the number of bytes
// before the line at fault.
func (f *framing) follow(data []byte) (int, error) {
	all := len(data)
	for len(data) > 0 {
		if f.skip > 0 {
			passed := min(f.skip, int64(len(data)))
			f.skip, data = f.skip-passed, data[passed:]
			continue
		}
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			f.line = append(f.line, data...)
			if len(f.line) > lineAtMost {
				return 0, errFraming
			}
			return all, nil
		}
		before := all - len(data)
		line := data[:end]
		if len(f.line) > 0 {
			f.line = append(f.line, line...)
			line = f.line
		}
		f.line, data = f.line[:0], data[end+1:]
		next := f.next
		if next == nil {
			next = (*framing).requestLine
		}
		if err := next(f, line); err != nil {
			return before, err
		}
	}
	return all, nil
}

func (f *framing) requestLine(line []byte) error {
	*f = framing{next: (*framing).header, line: f.line}
	f.old = !bytes.HasSuffix(bytes.TrimSuffix(line, []byte("\r")), []byte("HTTP/1.1"))
	return nil
}

// header inspects a line of the head. The empty line ends it.
func (f *framing) header(line []byte) error {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) == 0 {
		f.next = nil
		if f.chunked {
			f.next = (*framing).chunkSize
		}
		f.skip = f.length
		return nil
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	name, value = bytes.TrimSpace(name), bytes.Trim(value, " \t")
	switch {
	case is(name, "content-length"):
		length, err := strconv.ParseUint(string(value), 10, 63)
		if err != nil || f.measured || f.chunked {
			return errFraming
		}
		f.measured, f.length = true, int64(length)
	case is(name, "transfer-encoding"):
		if f.old || f.measured || f.chunked || !bytes.EqualFold(value, []byte("chunked")) {
			return errFraming
		}
		f.chunked = true
	case line[0] == ' ' || line[0] == '\t': // a folded line would extend the header before it
		return errFraming
	}
	return nil
}

// chunkSize inspects the line before a chunk. The last chunk is empty.
func (f *framing) chunkSize(line []byte) error {
	digits, ended := bytes.CutSuffix(line, []byte("\r"))
	digits, _, _ = bytes.Cut(digits, []byte(";"))
	size, err := strconv.ParseUint(string(bytes.TrimRight(digits, " \t")), 16, 62)
	if err != nil || !ended {
		return errFraming
	}
	f.skip, f.next = int64(size), (*framing).chunkEnd
	if size == 0 {
		f.next = (*framing).trailer
	}
	return nil
}

func (f *framing) chunkEnd(line []byte) error {
	if string(line) != "\r" {
		return errFraming
	}
	f.next = (*framing).chunkSize
	return nil
}

// trailer passes the headers behind the last chunk.
func (f *framing) trailer(line []byte) error {
	field, ended := bytes.CutSuffix(line, []byte("\r"))
	if !ended {
		return errFraming
	}
	if len(field) == 0 {
		f.next = nil
	}
	return nil
}
