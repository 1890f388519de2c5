package captable

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
)

// Event is a fact in the history of the cap table. Events are immutable: they are recorded
// once and applied again at every replay.
type Event interface {
	// EventType returns the name of the event in the journal, such as shareholdingIssued.
	EventType() string
	// Creates returns the records that the event creates.
	Creates() []Created
	// Records returns the affected records as they are in the state, in the order in which the
	// event names them.
	Records(s *State) []any
	apply(s *State, stamp Stamp)
}

// Created identifies a new record by id and kind.
type Created struct {
	ID   [16]byte
	Kind string
}

// Command is a request to change the cap table. Its decide method contains its rules.
type Command interface {
	decide(s *State, m Moment) ([]Event, error)
}

// Decide checks a command against the state and returns the resulting events, or an [Error].
// It does not change the state, but it may copy it, so only the goroutine that owns the state
// may call it: see [State.Copy]. If shares are insufficient, the returned events begin with
// the unrecorded lapses of options and warrants, because their shares are available again.
func Decide(s *State, command Command, m Moment) ([]Event, error) {
	events, err := decided(s, command, m)
	lapses := makeRoom(s, err, m)
	if len(lapses) == 0 {
		return events, err
	}
	events, again := decided(stateAfter(s, lapses), command, m)
	switch {
	case again == nil:
		return append(lapses, events...), nil
	case isShort(again): // after the lapses, so the figures in the refusal are correct
		return nil, again
	default:
		return nil, err
	}
}

// decided decides the command and checks the limits of every day.
func decided(s *State, command Command, m Moment) ([]Event, error) {
	events, err := command.decide(s, m)
	if _, deferred := command.(DeferLimits); err == nil && !deferred {
		err = checkDays(s, events, command)
	}
	if err != nil {
		return nil, err
	}
	return events, nil
}

// isShort reports whether an error refuses a command because of insufficient shares.
func isShort(refused error) bool {
	refusal := new(Error)
	return errors.As(refused, &refusal) && refusal.Code == CodeInsufficientShares
}

// Apply changes the state by one event. It never fails.
func (s *State) Apply(event Event, stamp Stamp) { event.apply(s, stamp) }

// endings returns the kinds of an [Ending].
func endings() []Status {
	return []Status{
		StatusTransferred, StatusRepurchased, StatusCancelled, StatusConverted,
		StatusReissued, StatusConsolidated, StatusRetracted,
	}
}

// Decoders returns the function that decodes the payload, by event type.
func Decoders() map[string]func(payload []byte) (Event, error) {
	decoders := map[string]func([]byte) (Event, error){
		SecurityCreated{}.EventType():           decode[SecurityCreated],
		SecurityChanged{}.EventType():           decode[SecurityChanged],
		SecurityDeleted{}.EventType():           decode[SecurityDeleted],
		SharesAuthorized{}.EventType():          decode[SharesAuthorized],
		SecuritySplit{}.EventType():             decode[SecuritySplit],
		LegendCreated{}.EventType():             decode[LegendCreated],
		LegendChanged{}.EventType():             decode[LegendChanged],
		LegendDeleted{}.EventType():             decode[LegendDeleted],
		ShareholdingIssued{}.EventType():        decode[ShareholdingIssued],
		ShareholdingAccepted{}.EventType():      decode[ShareholdingAccepted],
		ShareholdingAmended{}.EventType():       decode[ShareholdingAmended],
		ShareholdingCorrected{}.EventType():     decode[ShareholdingCorrected],
		ShareholdingVoided{}.EventType():        decode[ShareholdingVoided],
		ConfigurationChanged{}.EventType():      decode[ConfigurationChanged],
		PackageImported{}.EventType():           decode[PackageImported],
		ObjectCarried{}.EventType():             decode[ObjectCarried],
		ValuationCreated{}.EventType():          decode[ValuationCreated],
		ValuationChanged{}.EventType():          decode[ValuationChanged],
		CapitalChanged{}.EventType():            decode[CapitalChanged],
		CapitalChangeAmended{}.EventType():      decode[CapitalChangeAmended],
		BlockCreated{}.EventType():              decode[BlockCreated],
		BlockChanged{}.EventType():              decode[BlockChanged],
		BlockDeleted{}.EventType():              decode[BlockDeleted],
		PlanCreated{}.EventType():               decode[PlanCreated],
		PlanChanged{}.EventType():               decode[PlanChanged],
		PlanDeleted{}.EventType():               decode[PlanDeleted],
		PoolAdjusted{}.EventType():              decode[PoolAdjusted],
		VestingScheduleCreated{}.EventType():    decode[VestingScheduleCreated],
		VestingScheduleSuperseded{}.EventType(): decode[VestingScheduleSuperseded],
		VestingScheduleDeleted{}.EventType():    decode[VestingScheduleDeleted],
	}
	decoders[ConversionAdjusted{}.EventType()] = decode[ConversionAdjusted]
	decoders[VestingStopped{}.EventType()] = decode[VestingStopped]
	maps.Copy(decoders, instrumentDecoders())
	for _, kind := range endings() {
		decoders[Ending{Kind: kind}.EventType()] = decode[Ending]
	}
	maps.Copy(decoders, grantDecoders())
	return decoders
}

func decode[E Event](payload []byte) (Event, error) {
	var event E
	err := json.Unmarshal(payload, &event)
	return event, err
}

// EventType returns the name of the event in the journal.
func (SecurityCreated) EventType() string { return "securityCreated" }

// EventType returns the name of the event in the journal.
func (SecurityChanged) EventType() string { return "securityChanged" }

// EventType returns the name of the event in the journal.
func (SecurityDeleted) EventType() string { return "securityDeleted" }

// EventType returns the name of the event in the journal.
func (SharesAuthorized) EventType() string { return "sharesAuthorized" }

// EventType returns the name of the event in the journal.
func (SecuritySplit) EventType() string { return "securitySplit" }

// EventType returns the name of the event in the journal.
func (LegendCreated) EventType() string { return "legendCreated" }

// EventType returns the name of the event in the journal.
func (LegendChanged) EventType() string { return "legendChanged" }

// EventType returns the name of the event in the journal.
func (LegendDeleted) EventType() string { return "legendDeleted" }

// EventType returns the name of the event in the journal.
func (ShareholdingIssued) EventType() string { return "shareholdingIssued" }

// EventType returns the name of the event in the journal.
func (ShareholdingAccepted) EventType() string { return "shareholdingAccepted" }

// EventType returns the name of the event in the journal.
func (ShareholdingAmended) EventType() string { return "shareholdingAmended" }

// EventType returns the name of the event in the journal.
func (ShareholdingCorrected) EventType() string { return "shareholdingCorrected" }

// EventType returns the name of the event in the journal.
func (ShareholdingVoided) EventType() string { return "shareholdingVoided" }

// EventType returns the name of the event in the journal.
func (ConfigurationChanged) EventType() string { return "configurationChanged" }

// EventType returns the name of the event in the journal.
func (PackageImported) EventType() string { return "packageImported" }

// EventType returns the name of the event in the journal.
func (ObjectCarried) EventType() string { return "objectCarried" }

// EventType returns the name of the event in the journal.
func (ValuationCreated) EventType() string { return "valuationCreated" }

// EventType returns the name of the event in the journal.
func (ValuationChanged) EventType() string { return "valuationChanged" }

// EventType returns the name of the event in the journal.
func (CapitalChanged) EventType() string { return "capitalChanged" }

// EventType returns the name of the event in the journal.
func (CapitalChangeAmended) EventType() string { return "capitalChangeAmended" }

// EventType returns the name of the event in the journal.
func (BlockCreated) EventType() string { return "blockCreated" }

// EventType returns the name of the event in the journal.
func (BlockChanged) EventType() string { return "blockChanged" }

// EventType returns the name of the event in the journal.
func (BlockDeleted) EventType() string { return "blockDeleted" }

// EventType returns the name of the event in the journal.
func (PlanCreated) EventType() string { return "planCreated" }

// EventType returns the name of the event in the journal.
func (PlanChanged) EventType() string { return "planChanged" }

// EventType returns the name of the event in the journal.
func (PlanDeleted) EventType() string { return "planDeleted" }

// EventType returns the name of the event in the journal.
func (VestingScheduleCreated) EventType() string { return "vestingScheduleCreated" }

// EventType returns the name of the event in the journal.
func (VestingScheduleSuperseded) EventType() string { return "vestingScheduleSuperseded" }

// EventType returns the name of the event in the journal.
func (VestingScheduleDeleted) EventType() string { return "vestingScheduleDeleted" }

// EventType returns the name of the event in the journal.
func (PoolAdjusted) EventType() string { return "poolAdjusted" }

// EventType returns the name of the event in the journal, which follows from the kind, such as
// shareholdingTransferred.
func (e Ending) EventType() string {
	if e.Kind == "" {
		return "shareholdingEnded"
	}
	return "shareholding" + strings.ToUpper(string(e.Kind[:1])) + string(e.Kind[1:])
}

// PackageImported records the import of an Open Cap Format package. The following events of the
// same append are its content.
type PackageImported struct {
	// Version is the format version stated by the package.
	Version string `json:"version"`
	// Manifest is the manifest of the package without its issuer and file lists.
	Manifest json.RawMessage `json:"manifest"`
	// Issuer is the unchanged issuer object of the package.
	Issuer json.RawMessage `json:"issuer"`
	// Objects is the number of objects in the package.
	Objects int `json:"objects"`
}

// ObjectCarried records an object that the domain does not interpret. It is kept unchanged, so
// that an export after an import is complete.
type ObjectCarried struct {
	Source Source `json:"source"`
}

func (PackageImported) apply(*State, Stamp) {}

func (ObjectCarried) apply(s *State, _ Stamp) { s.carried++ }

// Carried returns the number of uninterpreted objects of imported packages.
func (s *State) Carried() int { return s.carried }
