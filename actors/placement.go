package actors

import (
	"context"
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// Standing is the relation of this server to an organization.
type Standing int

// The standings. The owner answers from memory. A guest needs a read lease of the owner to do so, or compares its memory with the journal before each
// use, and its changes reach the owner before they are acknowledged.
const (
	// Owner is the standing of the server that answers from memory and grants read leases.
	Owner Standing = iota
	// Unleased is the standing of an owner whose lease has ended. It may not answer until it has renewed the lease.
	Unleased
	// Waiting is the standing of the next owner, until the former one has handed over.
	Waiting
	// Guest is the standing of all other servers.
	Guest
)

// Placement decides which server owns an organization.
type Placement interface {
	// Standing returns the standing of this server. It is called for each read.
	Standing(id organization.ID) Standing
	// Changed returns a channel that is closed when a standing changes.
	Changed() <-chan struct{}
	// CatchUp returns when the owner serves the organization as of the sequence at least.
	CatchUp(ctx context.Context, id organization.ID, sequence uint64) error
	// Announce notes in the list of members that this server appends to an organization of another one. The owner learns of the rows when it next
	// renews its lease, also without a link between both. Withdraw removes the note.
	Announce(ctx context.Context, id organization.ID) (withdraw func(), err error)
	// Lease is the time for which an owner answers from memory without the journal.
	Lease() time.Duration
	// Wake wakes a consumer at the owner. It does not wait.
	Wake(id organization.ID, name string)
	ReadLeases
}

// ReadLeases requests and revokes the permission of other servers to answer from memory.
type ReadLeases interface {
	// Follow requests a read lease of the owner, once. The lease begins with the call.
	Follow(ctx context.Context, id organization.ID) (sequence uint64, length time.Duration, err error)
	// Revoke returns when the holder of a read lease has ended it.
	Revoke(ctx context.Context, holder string, id organization.ID) error
	// Remaining returns the time until the end of the lease of this server.
	Remaining() time.Duration
}

// standing returns the standing of this server, which owns all organizations unless it is part of a cluster.
func (s *shared) standing(id organization.ID) Standing {
	if s.settings.Placement == nil {
		return Owner
	}
	return s.settings.Placement.Standing(id)
}

const (
	// movePatience bounds the time for which a call waits while its organization moves between servers. It ends between two repetitions.
	movePatience = 15*time.Second + moveRetry/2
	// moveRetry is the pause before a call is repeated without a change of the placement.
	moveRetry = 20 * time.Millisecond
	// endRetry is the least pause before a repetition: an organization refuses its callers shortly before it has ended.
	endRetry = time.Millisecond
)

// placed runs the work with the standing of this server. It repeats work that was not executed while the organization moves.
func (o *Organizations) placed(ctx context.Context, id organization.ID, work func(Standing) error) error {
	placement := o.shared.settings.Placement
	if placement == nil {
		return work(Owner)
	}
	limited, cancel := context.WithTimeout(ctx, movePatience)
	defer cancel()
	for limited.Err() == nil {
		changed := placement.Changed()
		if standing := placement.Standing(id); standing == Owner || standing == Guest {
			if err := work(standing); !errors.Is(err, messages.ErrUnavailable) {
				return err
			}
			rest(limited, endRetry, nil)
		}
		rest(limited, moveRetry, changed)
	}
	return messages.ErrUnavailable
}

// rest waits until the time has passed, the context has ended or the channel is closed.
func rest(ctx context.Context, length time.Duration, until <-chan struct{}) {
	pause := time.NewTimer(length)
	defer pause.Stop()
	select {
	case <-until:
	case <-pause.C:
	case <-ctx.Done():
	}
}

// Do executes a command and returns when its events are durable, or with the
// reply's error: a [fault.Error] of the domain, [messages.ErrOutcomeUnknown] or
// [messages.ErrUnavailable].
func (o *Organizations) Do(ctx context.Context, command messages.Command) (reply messages.Reply, err error) {
	var withdraw func()
	err = o.placed(ctx, command.Organization, func(standing Standing) (err error) {
		_, creates := command.Body.(organization.Create)
		switch {
		case creates:
		case standing == Owner:
			if least := o.learned.least(command.Organization); least > 0 {
				if _, err = o.learn(ctx, command.Organization, least); err != nil {
					return err
				}
			}
		default:
			if withdraw == nil && !command.DryRun {
				if withdraw, err = o.shared.settings.Placement.Announce(ctx, command.Organization); err != nil {
					o.shared.log.Warn("a change of an organization of another server was not announced", "organization", command.Organization.String(), "cause", err)
					return messages.ErrUnavailable
				}
			}
			if _, err = o.guestView(ctx, command.Organization); err != nil {
				return err
			}
		}
		reply, err = o.do(ctx, command)
		return err
	})
	if err == nil && !command.DryRun {
		err = o.confirmed(ctx, command, &reply)
	}
	if withdraw != nil && !errors.Is(err, messages.ErrOutcomeUnknown) {
		withdraw()
	}
	return reply, err
}

// confirmed returns when the owner shows the change.
func (o *Organizations) confirmed(ctx context.Context, command messages.Command, reply *messages.Reply) error {
	if o.shared.standing(command.Organization) == Owner {
		return nil
	}
	// The journal accepts rows of any server. A server that is not, or is no longer, the owner must not acknowledge them before the owner
	// shows them.
	if err := o.shared.settings.Placement.CatchUp(ctx, command.Organization, reply.Sequence); err != nil {
		o.shared.log.Warn("a change was stored, and its owner did not confirm it", "organization", command.Organization.String(), "cause", err)
		*reply = messages.Reply{}
		return messages.ErrOutcomeUnknown
	}
	return nil
}

// View returns the organization as of its last durable event. While the journal is
// unavailable, a server without a cluster returns the last known view, with StaleSince set, for at most
// StaleReads.
func (o *Organizations) View(ctx context.Context, id organization.ID) (view *messages.View, err error) {
	err = o.placed(ctx, id, func(standing Standing) (err error) {
		if standing == Guest {
			view, err = o.guestRead(ctx, id)
		} else {
			view, err = o.ownView(ctx, id)
		}
		return err
	})
	return view, err
}

// ownView returns the view of an organization of this server.
func (o *Organizations) ownView(ctx context.Context, id organization.ID) (*messages.View, error) {
	if o.hanging(id) {
		return nil, messages.ErrUnavailable
	}
	if least := o.learned.least(id); least > 0 {
		return o.learn(ctx, id, least)
	}
	return o.view(ctx, id)
}

// Learn notes that the journal of the organization has the sequence. If this server owns the organization, it answers after it has read
// the rows.
func (o *Organizations) Learn(id organization.ID, sequence uint64) {
	if view := o.shared.views.peek(id); view == nil || view.Sequence < sequence {
		o.learned.add(id, sequence)
	}
}

// learn returns a view that contains the rows of which another server has informed this one.
func (o *Organizations) learn(ctx context.Context, id organization.ID, least uint64) (*messages.View, error) {
	view, err := o.viewOf(ctx, id, least)
	if err == nil {
		o.learned.remove(id, view.Sequence)
	}
	return view, err
}

// guestView returns the organization as of the present end of its journal.
func (o *Organizations) guestView(ctx context.Context, id organization.ID) (*messages.View, error) {
	last, err := o.heads.read(ctx, id)
	switch {
	case err != nil:
		o.shared.log.Warn("head of journal not read", "organization", id.String(), "cause", err)
		return nil, messages.ErrUnavailable
	case last == 0:
		return nil, o.neverExisted(ctx, id)
	}
	return o.viewOf(ctx, id, last)
}

// hanging reports whether the append in flight is as old as a lease, so that others may show its rows.
func (o *Organizations) hanging(id organization.ID) bool {
	placement := o.shared.settings.Placement
	return placement != nil && o.shared.views.hanging(id, o.shared.settings.Now(), placement.Lease())
}

// confirm waits until the owner shows the sequence. Rows are in the journal before their owner has learned of them, and without this wait a
// read at the owner could be older than an earlier one here. After the time of a lease, an owner that does not answer has learned of the rows
// (see [Organizations.Learn]), has lost its lease, or refuses reads because its append hangs.
func (o *Organizations) confirm(ctx context.Context, id organization.ID, sequence uint64) error {
	shown := o.shared.views.find(id)
	if shown != nil && shown.confirmed.Load() >= sequence {
		return nil
	}
	leased, cancel := context.WithTimeout(ctx, o.shared.settings.Placement.Lease())
	defer cancel()
	if err := o.shared.settings.Placement.CatchUp(leased, id, sequence); err != nil {
		<-leased.Done()
		if ctx.Err() != nil {
			return messages.ErrUnavailable
		}
		o.shared.log.Debug("a read was not confirmed by the owner", "organization", id.String(), "cause", err)
	}
	if shown != nil { // the organization was in memory
		shown.confirm(sequence)
	}
	return nil
}

// viewOf returns a view that contains the sequence.
func (o *Organizations) viewOf(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error) {
	if view := o.shared.views.get(ctx, id, o.shared.settings.Now()); view != nil && view.StaleSince.IsZero() && view.Sequence >= sequence {
		return view, nil
	}
	answer, err := o.ask(ctx, id, &catchUp{sequence: sequence}, o.shared.settings.Patience)
	if err != nil {
		return nil, nothingChanged(err)
	}
	if view, ok := answer.(*messages.View); ok {
		return view, nil
	}
	return nil, messages.ErrUnavailable
}

// CatchUp returns when this server, as the owner, serves the organization as of the sequence at least, which another server has
// appended. An organization that is not in memory is not loaded, because each later load contains the rows. It returns
// [messages.ErrUnavailable] if this server is not the owner.
func (o *Organizations) CatchUp(ctx context.Context, id organization.ID, sequence uint64) error {
	if o.shared.standing(id) != Owner {
		return messages.ErrUnavailable
	}
	if view := o.shared.views.peek(id); view != nil && view.Sequence >= sequence {
		return nil
	}
	answer, err := o.ask(ctx, id, &catchUp{sequence: sequence, onlyLive: true}, o.shared.settings.Patience)
	if _, absent := answer.(*notLive); err == nil && absent {
		return o.shared.unfollow(ctx, id, sequence)
	}
	return err
}

// Release ends the organizations that this server does not own any more, with those it knows as a guest, and returns when their appends
// have ended. The placement must have changed before.
func (o *Organizations) Release(ctx context.Context) error {
	done := make(chan struct{})
	o.system.Root.Send(o.top, &release{done: func() { close(done) }})
	select {
	case <-done:
	case <-o.shared.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return o.shared.unfollowAll(ctx, func(id organization.ID) bool {
		standing := o.shared.standing(id)
		return standing != Owner && standing != Unleased
	})
}

// release ends organizations that have moved. Done is called when they have ended.
type release struct{ done func() }

// releasing is a release that waits for the end of organizations.
type releasing struct {
	waiting map[organization.ID]struct{}
	done    func()
}

func (s *supervisor) release(c actor.Context, m *release) {
	r := &releasing{waiting: map[organization.ID]struct{}{}, done: m.done}
	for id, running := range s.children {
		standing := s.shared.standing(id)
		if !running.ending && !running.guest && (standing == Owner || standing == Unleased) {
			continue
		}
		r.waiting[id] = struct{}{}
		s.end(c, running)
	}
	s.releases = append(s.releases, r)
	s.checkReleases()
}

// checkReleases completes the releases that wait for no organization.
func (s *supervisor) checkReleases() {
	open := s.releases[:0]
	for _, r := range s.releases {
		if len(r.waiting) == 0 {
			r.done()
			continue
		}
		open = append(open, r)
	}
	s.releases = open
}

// ended notes the end of an organization for all releases.
func (s *supervisor) ended(id organization.ID) {
	for _, r := range s.releases {
		delete(r.waiting, id)
	}
	s.checkReleases()
}

// end ends an organization after the messages that it has received.
func (s *supervisor) end(c actor.Context, running *child) {
	if !running.ending {
		running.ending = true
		c.Poison(running.pid)
	}
}

// catchUp requests a view that contains the sequence, which another server may have appended. The answer is a *messages.View, a
// *notLive, or a *messages.Reply with an error.
type catchUp struct {
	sequence uint64
	onlyLive bool // an organization that is not in memory is not loaded
}

// notLive is the answer to a [catchUp] of an organization that is not in memory.
type notLive struct{}

// fallenBehind makes an actor start anew, because another server has appended rows.
type fallenBehind struct{ of *organizationActor }

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*fallenBehind) IgnoreDeadLetterLogging() {}

var errBehind = errors.New("another server has appended rows")

// handle answers with the view, after the append in flight or a load if it lacks the sequence. A guest without pending work reads only the missing rows. An owner
// starts anew, with its consumers.
func (m *catchUp) handle(o *organizationActor, c actor.Context, e envelope) {
	if o.published != nil && o.published.Sequence >= m.sequence {
		tell(c, e.sender, o.published)
		return
	}
	if o.inFlight != nil && o.inFlight.view.Sequence >= m.sequence { // probably these rows, whose outcome has not arrived
		o.inFlight.waiting = append(o.inFlight.waiting, waiter{caller: e.sender, reply: o.inFlight.view})
		return
	}
	if o.children.guest && o.inFlight == nil && o.batch.empty() && o.bulks.current == nil {
		o.queued = append(o.queued, e)
		o.start(c)
		return
	}
	c.Send(c.Self(), &fallenBehind{o})
	c.RequestWithCustomSender(c.Self(), m, e.sender) // the restarted actor answers it
}

// handle restarts the actor.
func (m *fallenBehind) handle(o *organizationActor) {
	if m.of != o {
		return
	}
	o.inconsistent = true
	panic(restart{errBehind})
}

// follow completes a load with the rows after the view.
func (s *shared) follow(ctx context.Context, id organization.ID, m *loaded, from *messages.View) (err error) {
	m.state = from.State.Copy()
	m.head, err = s.replay(ctx, id, m.state, rowChecks{after: messages.Snapshot{Sequence: from.Sequence, Hash: from.Hash}})
	return err
}
