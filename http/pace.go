package http

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"equity/fault"
)

// Pace is the rate at which a client must take an answer, and send a body.
type Pace struct {
	// Grace is the time for which the reader of an answer may fall behind the rate.
	Grace time.Duration
	// BodyGrace is the time for which the sender of a body may fall behind the rate.
	BodyGrace time.Duration
	// BytesPerSecond is the minimum rate.
	BytesPerSecond int
}

// pacedBytes is the size of the pieces in which an answer is written. Each has a deadline.
const pacedBytes = 64 << 10

// Paced cuts off the connection of every answer whose reader is slower than the pace, and refuses every body whose sender is slower. Time
// in which the handler computes does not count.
func Paced(next http.Handler, pace Pace) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &pacedBody{ReadCloser: r.Body, control: control, pace: pace, ahead: pace.BodyGrace}
		}
		next.ServeHTTP(&paced{ResponseWriter: w, control: control, pace: pace, ahead: pace.Grace}, r)
	})
}

// pacedBody sets a deadline before each read of a body.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	pace    Pace
	// ahead is the time by which the sender may still fall behind, at most BodyGrace.
	ahead time.Duration
}

// Read reads from the body. At its end there is no deadline any more, because the server reads from the connection in order to notice that
// the client left. After an error the deadline stays, so that the server does not wait for the rest.
func (b *pacedBody) Read(into []byte) (int, error) {
	begin := time.Now()
	_ = b.control.SetReadDeadline(begin.Add(b.ahead)) // not every writer has one, as in tests
	n, err := b.ReadCloser.Read(into)
	earned := time.Duration(n) * time.Second / time.Duration(b.pace.BytesPerSecond)
	b.ahead = min(b.pace.BodyGrace, b.ahead-time.Since(begin)+earned)
	switch {
	case errors.Is(err, io.EOF):
		_ = b.control.SetReadDeadline(time.Time{})
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, b.tooSlow(err)
	}
	return n, err //nolint:wrapcheck // as io.Reader requires
}

func (b *pacedBody) tooSlow(cause error) error {
	return &fault.FailureError{Refusal: fault.Refuse(fault.Invalid, fmt.Sprintf(
		"The body arrived too slowly. Send at least %d KB per second, without a pause of more than %d seconds.",
		b.pace.BytesPerSecond>>10, int(b.pace.BodyGrace.Seconds()))), Cause: cause}
}

// paced sets a deadline before each write.
type paced struct {
	http.ResponseWriter
	control *http.ResponseController
	pace    Pace
	// ahead is the time by which the reader may still fall behind, at most Grace.
	ahead time.Duration
}

// WriteHeader sends the header, for which the grace applies.
func (p *paced) WriteHeader(status int) {
	p.within(p.ahead)
	p.ResponseWriter.WriteHeader(status)
}

// Write sends the bytes in pieces, each within its time.
func (p *paced) Write(bytes []byte) (int, error) {
	written := 0
	for {
		piece := bytes[written:min(len(bytes), written+pacedBytes)]
		allowed := p.ahead + time.Duration(len(piece))*time.Second/time.Duration(p.pace.BytesPerSecond)
		p.within(allowed)
		begin := time.Now()
		n, err := p.ResponseWriter.Write(piece)
		written += n
		p.ahead = min(p.pace.Grace, allowed-time.Since(begin))
		if err != nil || written == len(bytes) {
			return written, err
		}
	}
}

// within sets the deadline. A writer without deadlines, as in tests, is written to without.
func (p *paced) within(allowed time.Duration) {
	_ = p.control.SetWriteDeadline(time.Now().Add(allowed))
}

// Unwrap lets http.ResponseController reach the writer below.
func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// SmallBuffers makes the system keep at most this many unsent bytes for each accepted
// connection: a larger buffer would hide a slow reader and hold memory for each.
func SmallBuffers(l net.Listener, bytes int) net.Listener { return smallBuffers{l, bytes} }

type smallBuffers struct {
	net.Listener
	bytes int
}

// Accept limits the buffer of the next connection.
func (l smallBuffers) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if limited, ok := conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = limited.SetWriteBuffer(l.bytes) // the system's own size serves as well
	}
	return conn, err
}
