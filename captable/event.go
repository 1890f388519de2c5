package captable

import (
	"encoding/json"
	"errors"
	"slices"

	"equity/fault"
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
	decide(s *State, m DecideContext) ([]Event, error)
}

// Decide checks a command against the state and returns the resulting events, or an [fault.Error].
// It does not change the state, but it may copy it, so only the goroutine that owns the state
// may call it: see [State.Copy]. If shares are insufficient, the returned events begin with
// the unrecorded lapses of options and warrants, because their shares are available again.
func Decide(s *State, command Command, m DecideContext) ([]Event, error) {
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
func decided(s *State, command Command, m DecideContext) ([]Event, error) {
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
	refusal := new(fault.Error)
	return errors.As(refused, &refusal) && refusal.Code == fault.InsufficientShares
}

// Apply changes the state by one event. It never fails.
func (s *State) Apply(event Event, stamp Stamp) { event.apply(s, stamp) }

// declaration is a name of events in the journal with the decoder of their payload.
type declaration struct {
	name   string
	decode func(payload []byte) (Event, error)
}

// declare returns the declaration of the example's type and name. The name of some types depends on a kind, so they have
// a declaration for each kind.
func declare[E Event](example E) declaration {
	return declaration{example.EventType(), decode[E]}
}

// declarations lists all events. The methods of an event follow its type.
func declarations() []declaration {
	return slices.Concat(recordDeclarations(), shareDeclarations(), grantDeclarations(), instrumentDeclarations())
}

func recordDeclarations() []declaration {
	return []declaration{
		declare(SecurityCreated{}),
		declare(SecurityChanged{}),
		declare(SecurityDeleted{}),
		declare(SharesAuthorized{}),
		declare(SecuritySplit{}),
		declare(ConversionAdjusted{}),
		declare(LegendCreated{}),
		declare(LegendChanged{}),
		declare(LegendDeleted{}),
		declare(ConfigurationChanged{}),
		declare(PackageImported{}),
		declare(ObjectCarried{}),
		declare(ValuationCreated{}),
		declare(ValuationChanged{}),
		declare(CapitalChanged{}),
		declare(CapitalChangeAmended{}),
		declare(BlockCreated{}),
		declare(BlockChanged{}),
		declare(BlockDeleted{}),
		declare(PlanCreated{}),
		declare(PlanChanged{}),
		declare(PlanDeleted{}),
		declare(PoolAdjusted{}),
		declare(VestingScheduleCreated{}),
		declare(VestingScheduleSuperseded{}),
		declare(VestingScheduleDeleted{}),
	}
}

func shareDeclarations() []declaration {
	declared := []declaration{
		declare(ShareholdingIssued{}),
		declare(ShareholdingAccepted{}),
		declare(ShareholdingAmended{}),
		declare(ShareholdingCorrected{}),
		declare(ShareholdingVoided{}),
		declare(VestingStopped{}),
	}
	for _, kind := range shareholdingEnds() {
		declared = append(declared, declare(ShareholdingEnded{Kind: kind}))
	}
	return declared
}

func grantDeclarations() []declaration {
	return []declaration{
		declare(OptionGranted{}),
		declare(OptionAccepted{}),
		declare(OptionAmended{}),
		declare(OptionCorrected{}),
		declare(OptionVoided{}),
		declare(OptionRepriced{}),
		declare(OptionRetracted{}),
		declare(OptionVestingChanged{}),
		declare(ExerciseRequested{}),
		declare(ExerciseDeclined{}),
		declare(OptionExercised{Deduction: Deduction{Kind: StatusExercised}}),
		declare(OptionExercised{Deduction: Deduction{Kind: StatusReleased}}),
		declare(OptionReduced{Deduction: Deduction{Kind: StatusCancelled}}),
		declare(OptionReduced{Deduction: Deduction{Kind: StatusForfeited}}),
		declare(OptionReduced{Deduction: Deduction{Kind: StatusExpired}}),
	}
}

func instrumentDeclarations() []declaration {
	return []declaration{
		declare(InstrumentIssued{}),
		declare(InstrumentAccepted{}),
		declare(InstrumentAmended{}),
		declare(InstrumentCorrected{}),
		declare(InstrumentVoided{}),
		declare(InstrumentRepaid{}),
		declare(InstrumentConverted{}),
		declare(WarrantExercised{}),
		declare(InstrumentEnded{Kind: StatusTransferred}),
		declare(InstrumentEnded{Kind: StatusCancelled}),
		declare(InstrumentEnded{Kind: StatusExpired}),
		declare(InstrumentEnded{Kind: StatusRetracted}),
	}
}

// Decoders returns the function that decodes the payload, by event type.
func Decoders() map[string]func(payload []byte) (Event, error) {
	decoders := map[string]func([]byte) (Event, error){}
	for _, declared := range declarations() {
		decoders[declared.name] = declared.decode
	}
	return decoders
}

func decode[E Event](payload []byte) (Event, error) {
	var event E
	err := json.Unmarshal(payload, &event)
	return event, err
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

// EventType returns the name of the event in the journal.
func (PackageImported) EventType() string { return "packageImported" }

// Creates returns nil: the event creates no record.
func (PackageImported) Creates() []Created { return nil }

// Records returns nil: the import itself is not a record.
func (PackageImported) Records(*State) []any { return nil }

// ObjectCarried records an object that the domain does not interpret. It is kept unchanged, so
// that an export after an import is complete.
type ObjectCarried struct {
	Source Source `json:"source"`
}

// EventType returns the name of the event in the journal.
func (ObjectCarried) EventType() string { return "objectCarried" }

// Creates returns nil: the event creates no record.
func (ObjectCarried) Creates() []Created { return nil }

// Records returns nil: a carried object is not a record of the cap table.
func (ObjectCarried) Records(*State) []any { return nil }

func (PackageImported) apply(*State, Stamp) {}

func (ObjectCarried) apply(s *State, _ Stamp) { s.carried++ }

// Carried returns the number of uninterpreted objects of imported packages.
func (s *State) Carried() int { return s.carried }

// records returns the record as a list, or nil if it does not exist.
func records[R any](record R, ok bool) []any {
	if !ok {
		return nil
	}
	return []any{record}
}
