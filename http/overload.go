package http

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"equity/fault"
	"equity/http/admission"
	"equity/http/api"
	"equity/organization"
)

// familiar remembers callers and memberships that were verified before, so that a request can be
// assigned to its fair share before any read from a store. An invented credential or organization has no
// share of its own: it counts for the network that sent it. Entries are approximate; a wrong one
// affects only the order in the queue.
type familiar struct {
	seed maphash.Seed

	mutex   sync.Mutex
	present familiarFacts
	former  familiarFacts // the previous generation; it bounds the total
}

type familiarFacts struct {
	callers map[uint64]organization.UserID // by hash of the credential
	members map[uint64]struct{}            // hashes of user and organization
}

const mostFamiliar = 1 << 15 // entries per generation

func newFamiliar() *familiar {
	return &familiar{seed: maphash.MakeSeed(), present: newFamiliarFacts(), former: newFamiliarFacts()}
}

func newFamiliarFacts() familiarFacts {
	return familiarFacts{callers: map[uint64]organization.UserID{}, members: map[uint64]struct{}{}}
}

// flow returns the share of the queue that a request with the credential, a cookie or a bearer token, belongs to. Sender is the share of its network.
func (f *familiar) flow(credential []byte, sender admission.Flow, named string) admission.Flow {
	if len(credential) == 0 {
		return sender
	}
	key := maphash.Bytes(f.seed, credential)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	user, known := f.present.callers[key]
	if !known {
		user, known = f.former.callers[key]
	}
	if !known {
		return sender
	}
	own := user.String()
	if named != "" && f.isMember(f.membership(user, named)) {
		return admission.Flow{Group: named, Caller: own}
	}
	return admission.Flow{Group: own, Caller: own}
}

// remember notes a caller whose session was verified, and the organization that they turned out to be a member of.
func (f *familiar) remember(r *http.Request, user organization.UserID, named string) {
	presented := credential(r)
	if presented == "" || user.IsZero() {
		return
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.present.callers[maphash.String(f.seed, presented)] = user
	if named != "" {
		f.present.members[f.membership(user, named)] = struct{}{}
	}
	if len(f.present.callers)+len(f.present.members) >= mostFamiliar {
		f.former, f.present = f.present, newFamiliarFacts()
	}
}

func (f *familiar) membership(user organization.UserID, named string) uint64 {
	return maphash.Comparable(f.seed, struct {
		user  organization.UserID
		named string
	}{user, named})
}

func (f *familiar) isMember(key uint64) bool {
	_, present := f.present.members[key]
	_, former := f.former.members[key]
	return present || former
}

// enterQueue waits for a slot for the request. Named is the organization in its path, if any.
func (s *Server) enterQueue(x *exchange, named string) error {
	ticket, err := s.queue.EnterWith(x.r.Context(), s.flow(x, named), x.received)
	if err != nil {
		return s.overloaded(err)
	}
	x.ticket = ticket
	return nil
}

// flow returns the share of the queue that the request belongs to.
func (s *Server) flow(x *exchange, named string) admission.Flow {
	r := x.r
	if x.forwarded != nil && !x.forwarded.caller.User.IsZero() { // the first node has verified the caller
		own := x.forwarded.caller.User.String()
		return admission.Flow{Group: cmp.Or(named, own), Caller: own}
	}
	network := api.NetworkOf(s.address(r))
	return s.familiar.flow([]byte(credential(r)), admission.Flow{Group: network, Caller: network}, named)
}

// Requests returns the number of requests that are worked on or wait for their turn.
func (s *Server) Requests() int {
	stats := s.queue.Stats()
	return stats.Running + stats.Waiting
}

// overloaded converts an error of the queue.
func (s *Server) overloaded(err error) error {
	refusal, is := errors.AsType[*admission.RefusalError](err)
	if !is {
		return err
	}
	s.overload.note()
	return &fault.FailureError{
		Refusal: fault.Refuse(fault.Overloaded, overloadedMessage),
		Cause:   err, RetryAfter: refusal.RetryAfter,
	}
}

const overloadedMessage = "The server is busy. Nothing was changed; send the request again later."

const overloadEvery = 10 // seconds between warnings

// overload logs that requests are refused.
type overload struct {
	queue *admission.Queue
	now   func() time.Time
	log   *slog.Logger
	last  atomic.Int64 // the second of the last warning
}

// note logs it once in a while.
func (o *overload) note() {
	now := o.now().Unix()
	if last := o.last.Load(); now < last+overloadEvery || !o.last.CompareAndSwap(last, now) {
		return
	}
	stats := o.queue.Stats()
	o.log.Warn("overloaded: requests are refused", slog.Int("running", stats.Running), slog.Int("waiting", stats.Waiting),
		slog.Uint64("refused", stats.Refused))
}

// receiveSmall reads a small body into memory, unless the queue would refuse the request. The server reads the rest of a refused
// body without keeping it.
func (s *Server) receiveSmall(x *exchange, named string) error {
	r := x.r
	if r.ContentLength <= 0 || r.ContentLength > api.SmallBody {
		return nil
	}
	if retry, refused := s.refuses(s.flow(x, named)); refused {
		_ = http.NewResponseController(x.w).SetReadDeadline(time.Now().Add(shedHeader)) // not every writer has one, as in tests
		return s.overloaded(&admission.RefusalError{RetryAfter: retry})
	}
	content, err := readClaimed(r.Body, int(r.ContentLength))
	if err != nil {
		return api.Unreadable(err)
	}
	x.small, x.received = content, len(content)
	return nil
}

// claimedBytes is the number of bytes that are allocated because a client announces them.
const claimedBytes = 4 << 10

// readClaimed reads the number of bytes. A large buffer grows as data arrives, because a length is only a claim of the client.
func readClaimed(from io.Reader, length int) ([]byte, error) {
	content := make([]byte, min(length, claimedBytes))
	read, err := io.ReadFull(from, content)
	if err != nil || read == length {
		return content, err //nolint:wrapcheck // by the caller
	}
	whole := bytes.NewBuffer(content)
	if _, err := io.CopyN(whole, from, int64(length-read)); err != nil {
		return nil, err //nolint:wrapcheck // by the caller
	}
	return whole.Bytes(), nil
}

// receiveForm reads the body of a form, or of another record of at most the limit, into memory. Of a larger body it keeps one byte more than
// the limit, which the handler refuses.
func receiveForm(x *exchange, limit int64) error {
	content, err := io.ReadAll(io.LimitReader(x.r.Body, limit+1))
	if err != nil {
		return api.Unreadable(err)
	}
	x.r.Body, x.received = io.NopCloser(bytes.NewReader(content)), len(content)
	return nil
}

// body returns the body from its beginning, if it was received into memory, or else the rest of it.
func (x *exchange) body() io.Reader {
	if x.small != nil {
		return bytes.NewReader(x.small)
	}
	return x.r.Body
}

// context returns the context that operations of the exchange run in.
func (x *exchange) context() context.Context {
	return admission.NewContext(x.r.Context(), x.ticket)
}

// QueueSettings bound the requests that are worked on at a time.
type QueueSettings struct {
	// Parallel is the number of requests worked on at a time; 256 when 0.
	Parallel int
	// Wait is the longest time that a request waits for its turn; a second when 0.
	Wait time.Duration
}

const (
	queueParallel = 256
	queueWait     = time.Second
	// standingPart is the part of the longest wait that requests may wait while an overload lasts.
	standingPart = 10
	// The waiting requests are bounded as they may have arrived before the rate of the server is known: by the slots, which grow with the
	// processors, and by the memory of their bodies.
	waitingLeast   = 4096
	waitingPerSlot = 16
	waitingBytes   = 64 << 20
)

func newQueue(settings QueueSettings) *admission.Queue {
	if settings.Parallel == 0 {
		settings.Parallel = queueParallel
	}
	if settings.Wait == 0 {
		settings.Wait = queueWait
	}
	return admission.New(admission.Settings{
		Parallel: settings.Parallel, Wait: settings.Wait, Standing: settings.Wait / standingPart,
		Waiting: max(waitingLeast, waitingPerSlot*settings.Parallel), Bytes: waitingBytes,
	})
}
