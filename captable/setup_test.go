package captable_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/fault"
)

// today is the date at the start of every test.
const today = captabletest.Today

// bundle is a cap table with the dependencies of its commands. It is deterministic.
type bundle struct {
	testing.TB
	state    *captable.State
	now      time.Time
	ids      captabletest.IDs
	holders  captabletest.Register
	recorded []recorded
}

// recorded is an event as stored in the journal.
type recorded struct {
	kind    string
	payload []byte
	stamp   captable.Stamp
}

// Holders of the tests; every register contains all but nobod.
var (
	ada   = captabletest.Entity(0xa)
	bob   = captabletest.Entity(0xb)
	cleo  = captabletest.Entity(0xc)
	nobod = captabletest.Entity(0xf) // in no register
)

// Shared values and commands, with short names.
var (
	number, figure, price, dollars = captabletest.Number, captabletest.Figure, captabletest.Price, captabletest.Dollars
	holder, issue, planned         = captabletest.Holder, captabletest.Issue, captabletest.Plan
	safe, postMoney, warrant       = captabletest.SAFE, captabletest.PostMoney, captabletest.Warrant
	monthly                        = captabletest.Monthly
)

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{
		TB: tb, state: captable.NewState(), now: captabletest.Now(), holders: captabletest.Holders(),
	}
}

func (b *bundle) moment() captable.DecideContext {
	return captable.DecideContext{Now: b.now, NewID: b.newID, Register: b.holders, Currency: "USD"}
}

func (b *bundle) newID() [16]byte { return b.ids.New() }

// decide decides the command and checks that the state is unchanged.
func (b *bundle) decide(command captable.Command) ([]captable.Event, error) {
	b.Helper()
	before := packed(b.state)
	events, err := captable.Decide(b.state, command, b.moment())
	if !bytes.Equal(before, packed(b.state)) {
		b.Fatalf("deciding %T changed the state", command)
	}
	return events, err
}

// do carries out the command and returns its events.
func (b *bundle) do(command captable.Command) []captable.Event {
	b.Helper()
	events, err := b.decide(command)
	if err != nil {
		b.Fatalf("%T: %v", command, err)
	}
	b.apply(events)
	return events
}

func (b *bundle) apply(events []captable.Event) {
	b.Helper()
	for _, event := range events {
		payload, err := json.Marshal(event)
		if err != nil {
			b.Fatal(err)
		}
		stamp := captable.Stamp{Sequence: uint64(len(b.recorded) + 1), At: captable.InstantOf(b.now), By: "tester"}
		b.recorded = append(b.recorded, recorded{event.EventType(), payload, stamp})
		b.state.Apply(event, stamp)
	}
}

// figures maps the names of the figures of a refusal, such as available, to their values.
type figures map[string]string

// refused checks that the command is refused with the code and exactly these fields, each as
// "/pointer code". It returns the figures of the refusal.
func (b *bundle) refused(command captable.Command, code fault.Code, fields ...string) figures {
	b.Helper()
	_, err := b.decide(command)
	return b.refusal(err, code, fields...)
}

// refusal checks that the error is a refusal with the code and exactly these fields. It returns
// the figures of the refusal.
func (b *bundle) refusal(err error, code fault.Code, fields ...string) figures {
	b.Helper()
	return captabletest.Refusal(b, err, code, fields...).Details
}

// common creates a class of common stock with the number of authorized shares.
func (b *bundle) common(authorized string) captable.SecurityID {
	b.Helper()
	return b.security(captable.SecurityTerms{Name: "Common Stock", ShareType: captable.ShareCommon, AuthorizedShares: limit(authorized)})
}

func (b *bundle) security(terms captable.SecurityTerms) captable.SecurityID {
	b.Helper()
	return b.do(captable.CreateSecurity{SecurityTerms: terms})[0].(captable.SecurityCreated).ID
}

func (b *bundle) legend(name string) captable.LegendID {
	b.Helper()
	command := captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: name, Text: "Not registered."}}
	return b.do(command)[0].(captable.LegendCreated).ID
}

func (b *bundle) issue(to captable.EntityID, of captable.SecurityID, shares, on string) captable.ShareholdingID {
	b.Helper()
	return b.do(issue(to, of, shares, on))[0].(captable.ShareholdingIssued).ID
}

// ended carries out a command that ends shares and returns its event.
func (b *bundle) ended(command captable.Command) captable.ShareholdingEnded {
	b.Helper()
	return b.do(command)[0].(captable.ShareholdingEnded)
}

func (b *bundle) holding(id captable.ShareholdingID) *captable.Shareholding {
	b.Helper()
	h, ok := b.state.Shareholding(id)
	if !ok {
		b.Fatalf("there is no shareholding %s", id)
	}
	return h
}

func (b *bundle) class(id captable.SecurityID) *captable.Security {
	b.Helper()
	security, ok := b.state.Security(id)
	if !ok {
		b.Fatalf("there is no security %s", id)
	}
	return security
}

// totals checks the issued, outstanding, treasury and available shares of a class.
func (b *bundle) totals(id captable.SecurityID, issued, outstanding, treasury, available string) {
	b.Helper()
	s := b.class(id)
	got := [4]string{s.Issued.String(), s.Outstanding().String(), s.Treasury.String(), s.Available().String()}
	equal(b, "issued, outstanding, treasury, available", got, [4]string{issued, outstanding, treasury, available})
}

func (b *bundle) on(day string) captable.Table {
	return b.state.TableOn(exact.MustDate(day), func(id captable.EntityID) string { return b.holders[id] })
}

// packed returns the snapshot of the state.
func packed(s *captable.State) []byte {
	p := captable.NewPacker()
	s.Pack(p)
	return p.Bytes()
}

func unpacked(tb testing.TB, snapshot []byte) *captable.State {
	tb.Helper()
	s, p := captable.NewState(), captable.NewUnpacker(snapshot)
	s.Pack(p)
	if err := p.Err(); err != nil {
		tb.Fatal(err)
	}
	return s
}

func equal[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func limit(text string) (authorized captable.Authorized) {
	if err := authorized.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return authorized
}
