package actors_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/actors/system"
	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// company is a fresh organization with a founder, two holders and one security,
// served by actors on a journal in memory.
type company struct {
	testing.TB
	store    *memory
	settings actors.Settings
	*actors.Organizations
	id       organization.ID
	founder  organization.Founder
	security captable.SecurityID
	ada, bob captable.EntityID
	ids      *atomic.Uint64
}

// latency is the default duration of a commit.
const latency = 5 * time.Millisecond

// authorized is the limit of the company's security.
const authorized = 1_000_000

// setup creates the company. Changes are applied to the settings before the start.
//
// Nearly all tests run in a synctest bubble, where time advances only
// while all goroutines wait, and which ends after all goroutines have ended.
func setup(tb testing.TB, changes ...func(*actors.Settings)) *company {
	tb.Helper()
	return setupOn(tb, newMemory(tb, after(latency)), changes...)
}

func setupOn(tb testing.TB, store *memory, changes ...func(*actors.Settings)) *company {
	tb.Helper()
	c := &company{TB: tb, store: store, ids: &atomic.Uint64{}}
	c.settings = actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: 10 * time.Minute, SnapshotEvery: 1000, RememberKeys: 24 * time.Hour, Patience: 10 * time.Second,
		Now: time.Now, NewID: c.newID,
	}
	for _, change := range changes {
		change(&c.settings)
	}
	c.start()
	c.found()
	return c
}

func (c *company) newID() (id [16]byte) {
	binary.BigEndian.PutUint64(id[:], c.ids.Add(1))
	id[15] = 0x55
	return id
}

// start starts the actors of the company, like a new process.
func (c *company) start() {
	c.Helper()
	c.Organizations = c.another()
}

// another returns further actors on the same journal, like another process.
func (c *company) another() *actors.Organizations {
	c.Helper()
	log := slog.New(slog.DiscardHandler)
	organizations := actors.NewOrganizations(system.New(log), c.store, c.settings, log)
	c.Cleanup(func() { c.stop(organizations) })
	return organizations
}

func (c *company) stop(organizations *actors.Organizations) {
	c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := organizations.Stop(ctx); err != nil {
		c.Errorf("stop: %v", err)
	}
}

// restart stops the actors in order and starts new ones.
func (c *company) restart() {
	c.Helper()
	c.stop(c.Organizations)
	c.start()
}

func (c *company) found() {
	c.Helper()
	c.id = c.newID()
	c.founder = organization.Founder{User: c.newID(), Entity: c.newID(), Name: "Fay Founder"}
	c.must(c.create(c.id))
	c.ada, c.bob = c.hire("Ada Lovelace"), c.hire("Bob Noyce")
	limit := captable.AuthorizedOf(exact.NewDecimal(authorized))
	c.security = result(c, captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: "Common Stock", ShareType: captable.ShareCommon, Prefix: "CS", AuthorizedShares: limit,
	}}).ID
}

func (c *company) create(id organization.ID) messages.Command {
	command := c.command(organization.Create{
		ID: id, Profile: organization.Profile{Name: "Acme", Currency: "USD"}, Creator: c.founder,
	})
	command.Organization = id
	return command
}

func (c *company) hire(name string) captable.EntityID {
	c.Helper()
	add := organization.AddMember{MemberTerms: organization.MemberTerms{FullName: name}}
	member, err := messages.ResultOf[*organization.Member](c.must(messages.With(c.command(nil), add)))
	if err != nil {
		c.Fatal(err)
	}
	c.must(c.command(organization.ClaimMember{Entity: member.Entity, User: c.newID()}))
	return member.Entity
}

func (c *company) command(body organization.Command) messages.Command {
	return messages.Command{Organization: c.id, By: "tester", At: c.settings.Now(), Body: body}
}

func (c *company) table(body captable.Command) messages.Command {
	return c.command(organization.Table{Command: body})
}

// asking returns the command of the cap table with its result.
func asking[R any](c *company, body captable.CommandOf[R]) messages.Command {
	return messages.With(c.command(nil), organization.TableCommand(body))
}

// result executes the command of the cap table and returns its result.
func result[R any](c *company, body captable.CommandOf[R]) R {
	c.Helper()
	found, err := messages.ResultOf[R](c.must(asking(c, body)))
	if err != nil {
		c.Fatal(err)
	}
	return found
}

func (c *company) issue(to captable.EntityID, shares int64) messages.Command {
	return asking(c, captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: to}, Security: c.security,
		Shares: exact.NewDecimal(shares), IssueDate: exact.DateOf(c.settings.Now()),
	})
}

func (c *company) transfer(from captable.ShareholdingID, to captable.EntityID, shares int64) messages.Command {
	return asking(c, captable.TransferShareholding{
		Shareholding: from, To: captable.HolderRef{Entity: to}, Shares: exact.NewDecimal(shares),
		Date: exact.DateOf(c.settings.Now()), Kind: "sale",
	})
}

// keyed adds an idempotency key to the command, with the text as its fingerprint.
func keyed(command messages.Command, key, fingerprint string) messages.Command {
	command.IdempotencyKey, command.Fingerprint = key, fingerprint
	return command
}

// do executes the command without a deadline.
func (c *company) do(command messages.Command) (messages.Reply, error) {
	c.Helper()
	return c.Do(context.Background(), command)
}

// must executes the command, which must succeed and be durable afterwards.
func (c *company) must(command messages.Command) messages.Reply {
	c.Helper()
	reply, err := c.do(command)
	if err != nil {
		c.Fatalf("%T: %v", command.Body, err)
	}
	if head := c.store.head(command.Organization); head < reply.Sequence {
		c.Fatalf("answered with sequence %d when the journal ended at %d", reply.Sequence, head)
	}
	return reply
}

// answer is a reply and the time it took.
type answer struct {
	messages.Reply
	err  error
	took time.Duration
}

// ask executes the command in the background.
func (c *company) ask(command messages.Command) <-chan answer {
	c.Helper()
	answers, begin := make(chan answer, 1), time.Now()
	go func() {
		reply, err := c.Do(context.Background(), command)
		answers <- answer{reply, err, time.Since(begin)}
	}()
	return answers
}

// asked is like ask, but returns after the command has reached its actor.
func (c *company) asked(command messages.Command) <-chan answer {
	c.Helper()
	answers := c.ask(command)
	synctest.Wait()
	return answers
}

// view returns the organization's view, which must contain only durable events.
func (c *company) view() *messages.View {
	c.Helper()
	view, err := c.View(context.Background(), c.id)
	if err != nil {
		c.Fatalf("view: %v", err)
	}
	if head := c.store.head(c.id); view.Sequence > head {
		c.Fatalf("the view shows sequence %d when the journal ends at %d", view.Sequence, head)
	}
	return view
}

// held returns the shares of the entity in the view.
func held(state *organization.State, entity captable.EntityID) string {
	sum := captable.Decimal{}
	for h := range state.Table().ShareholdingsOf(entity) {
		if h.Status.Outstanding() {
			sum = sum.Add(h.Shares)
		}
	}
	return sum.String()
}

// refused checks that the error has the code.
func refused(tb testing.TB, err error, code fault.Code) {
	tb.Helper()
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Code != code {
		tb.Errorf("got %v; want the code %s", err, code)
	}
}

// same checks that two states are equal, byte by byte.
func same(tb testing.TB, got, want *organization.State) {
	tb.Helper()
	if !bytes.Equal(got.Snapshot(), want.Snapshot()) {
		tb.Fatal("the state differs from a replay of the journal")
	}
}

// holding returns the shareholding in the reply to an issue.
func holding(tb testing.TB, reply messages.Reply) *captable.Shareholding {
	tb.Helper()
	found, err := messages.ResultOf[*captable.Shareholding](reply)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}
