package http

import (
	"io"
	"net/http"
	"time"

	"equity/http/api"
)

// uploadBody is the body of an upload, which knows whether it was read to its end.
type uploadBody struct {
	io.ReadCloser
	ended bool
}

// Read reads from the body.
func (b *uploadBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	b.ended = b.ended || err == io.EOF
	return n, err //nolint:wrapcheck // as io.Reader requires
}

// restTime bounds the time in which the rest of a refused upload is read.
const restTime = 30 * time.Second

// restPiece is the number of bytes of the rest after which the time is checked.
const restPiece = 256 << 10

// uploadRest is the part of a refused upload that was not read.
type uploadRest struct {
	body io.Reader
	most int64
}

// restOfUpload returns the unread part of the upload, or nil. A client that waits for the permission to send has sent nothing.
func (x *exchange) restOfUpload(op *api.Operation) *uploadRest {
	body, is := x.r.Body.(*uploadBody)
	if !is || body.ended || x.r.ContentLength >= 0 && x.r.Header.Get("Expect") != "" {
		return nil
	}
	return &uploadRest{body, op.RestLimit()}
}

// refuse sends the answer before the rest, and reads a bounded part of the rest afterwards. A client that is still sending when the
// connection closes may see a broken connection and no answer. The request holds no slot meanwhile.
func (u *uploadRest) refuse(x *exchange, fail func() int) int {
	x.ticket.Leave()
	control := http.NewResponseController(x.w)
	_ = control.EnableFullDuplex() // else the server would read a part of the rest before the answer
	end := time.Now().Add(restTime)
	_ = control.SetReadDeadline(end)
	x.w.Header().Set("Connection", "close")
	status := fail()
	if control.Flush() == nil {
		var err error
		for read := int64(0); err == nil && read < u.most && time.Now().Before(end); read += restPiece { // a paced body sets its own deadlines
			_, err = io.CopyN(io.Discard, u.body, restPiece) // a connection that fails here has its answer
		}
	}
	return status
}
