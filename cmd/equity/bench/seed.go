package bench

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/google/uuid"

	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
)

// Journal is the journal that the bench writes and reads directly.
type Journal interface {
	Append(batch messages.Append, done func(error))
}

// newID returns ids like the server.
func newID() [16]byte { return uuid.Must(uuid.NewV7()) }

// seeder writes the history of a company directly to the journal, in the same form as the
// organization's actor but faster.
type seeder struct {
	schema  *organization.Schema
	journal Journal
	id      organization.ID
	// author is that of the commands; zero for the system.
	author organization.UserID
	state  *organization.State
	hash   messages.Hash
	batch  messages.Append
	last   uint64
}

// seedBatch is the number of rows per append.
const seedBatch = 2000

func newSeeder(journal Journal, schema *organization.Schema) *seeder {
	id := organization.ID(newID())
	return &seeder{schema: schema, journal: journal, id: id, state: organization.NewState(), batch: messages.Append{Organization: id}}
}

// seeded executes a command and returns its result.
func seeded[R any](s *seeder, command organization.CommandOf[R]) (R, error) {
	events, err := s.do(command)
	result, _ := organization.ResultOf(command, events, s.state)
	return result, err
}

// do decides a command and adds its events.
func (s *seeder) do(command organization.Command) ([]organization.Event, error) {
	now := time.Now().UTC().Truncate(time.Microsecond)
	events, err := organization.Decide(s.state, command, organization.DecideContext{Now: now, By: s.author, NewID: newID, Schema: s.schema})
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		payload, err := json.Marshal(event)
		if err != nil {
			return nil, err
		}
		row := messages.Row{
			Organization: s.id, Sequence: s.last + 1, RecordedAt: now, By: s.by(), Type: event.EventType(), Payload: payload,
		}
		row.Seal(s.hash)
		s.hash, s.last = row.Hash, row.Sequence
		s.state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(now), By: row.By})
		s.batch.Rows = append(s.batch.Rows, row)
	}
	s.batch.AddEffects(nil, events, s.state)
	if len(s.batch.Rows) >= seedBatch {
		return events, s.flush()
	}
	return events, nil
}

// by returns the author of the rows.
func (s *seeder) by() string {
	if s.author.IsZero() {
		return "system:bench"
	}
	return s.author.String()
}

// flush stores the collected rows.
func (s *seeder) flush() error {
	if len(s.batch.Rows) == 0 {
		return nil
	}
	stored := make(chan error, 1)
	s.journal.Append(s.batch, func(err error) { stored <- err })
	s.batch = messages.Append{Organization: s.id}
	return <-stored
}

// company creates an organization with one security and the given number of holders.
func (s *seeder) company(founder organization.Founder, name string, holders int) (captable.SecurityID, []captable.EntityID, error) {
	_, err := s.do(organization.Create{ID: s.id, Profile: organization.Profile{Name: name, Currency: "USD"}, Creator: founder})
	if err != nil {
		return captable.SecurityID{}, nil, err
	}
	security, err := seeded(s, organization.TableCommand(captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: "Seeded Stock", ShareType: captable.ShareCommon, Prefix: "SS",
		AuthorizedShares: captable.AuthorizedOf(exact.NewDecimal(1_000_000_000_000)),
	}}))
	if err != nil {
		return captable.SecurityID{}, nil, err
	}
	entities := make([]captable.EntityID, holders)
	for i := range entities {
		entities[i] = newID()
		_, err := s.do(organization.AddMember{Entity: entities[i], MemberTerms: organization.MemberTerms{
			FullName: "Holder " + strconv.Itoa(i+1), Kind: "individual", Relationship: "investor",
		}})
		if err != nil {
			return captable.SecurityID{}, nil, err
		}
	}
	return security.ID, entities, nil
}

// issue issues shares to the holders in turn until the journal has the given number of events.
func (s *seeder) issue(security captable.SecurityID, holders []captable.EntityID, events uint64) error {
	price := &captable.Price{Amount: exact.MustDecimal("0.25")}
	for i := 0; s.last < events; i++ {
		_, err := s.do(organization.Table{Command: captable.IssueShareholding{
			HolderRef: captable.HolderRef{Entity: holders[i%len(holders)]}, Security: security,
			Shares: exact.NewDecimal(int64(100 + i%900)), IssueDate: exact.MustDate("2024-03-15"),
			ShareholdingDetails: captable.ShareholdingDetails{PricePerShare: price, IssuanceType: "standard"},
		}})
		if err != nil {
			return err
		}
	}
	return s.flush()
}
