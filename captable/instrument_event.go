package captable

import "strings"

// instrumentDecoders returns the decoders of instrument events by event type.
func instrumentDecoders() map[string]func([]byte) (Event, error) {
	return map[string]func([]byte) (Event, error){
		InstrumentIssued{}.EventType():                       decode[InstrumentIssued],
		InstrumentAccepted{}.EventType():                     decode[InstrumentAccepted],
		InstrumentAmended{}.EventType():                      decode[InstrumentAmended],
		InstrumentCorrected{}.EventType():                    decode[InstrumentCorrected],
		InstrumentVoided{}.EventType():                       decode[InstrumentVoided],
		InstrumentRepaid{}.EventType():                       decode[InstrumentRepaid],
		InstrumentConverted{}.EventType():                    decode[InstrumentConverted],
		WarrantExercised{}.EventType():                       decode[WarrantExercised],
		InstrumentEnded{Kind: StatusTransferred}.EventType(): decode[InstrumentEnded],
		InstrumentEnded{Kind: StatusCancelled}.EventType():   decode[InstrumentEnded],
		InstrumentEnded{Kind: StatusExpired}.EventType():     decode[InstrumentEnded],
		InstrumentEnded{Kind: StatusRetracted}.EventType():   decode[InstrumentEnded],
	}
}

// EventType returns the name of the event in the journal.
func (InstrumentIssued) EventType() string { return "holdingIssued" }

// EventType returns the name of the event in the journal.
func (InstrumentAccepted) EventType() string { return "holdingAccepted" }

// EventType returns the name of the event in the journal.
func (InstrumentAmended) EventType() string { return "holdingAmended" }

// EventType returns the name of the event in the journal.
func (InstrumentCorrected) EventType() string { return "holdingCorrected" }

// EventType returns the name of the event in the journal.
func (InstrumentVoided) EventType() string { return "holdingVoided" }

// EventType returns the name of the event in the journal.
func (InstrumentRepaid) EventType() string { return "holdingRepaid" }

// EventType returns the name of the event in the journal.
func (InstrumentConverted) EventType() string { return "holdingConverted" }

// EventType returns the name of the event in the journal.
func (WarrantExercised) EventType() string { return "holdingExercised" }

// EventType returns "holding" followed by the kind of the ending, for example holdingTransferred.
func (e InstrumentEnded) EventType() string {
	if e.Kind == "" {
		return "holdingEnded"
	}
	return "holding" + strings.ToUpper(string(e.Kind[:1])) + string(e.Kind[1:])
}

// Creates returns the instrument.
func (e InstrumentIssued) Creates() []Created { return []Created{{e.ID, kindHolding}} }

// Records returns the instrument.
func (e InstrumentIssued) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// Creates returns nil.
func (InstrumentAccepted) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentAccepted) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// Creates returns nil.
func (InstrumentAmended) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentAmended) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// Creates returns nil.
func (InstrumentCorrected) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentCorrected) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// Creates returns nil.
func (InstrumentVoided) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentVoided) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// Creates returns nil.
func (InstrumentRepaid) Creates() []Created { return nil }

// Records returns the instrument.
func (e InstrumentRepaid) Records(s *State) []any { return records(s.Instrument(e.ID)) }

// Creates returns the instrument of the new holder and the balance.
func (e InstrumentEnded) Creates() []Created {
	var created []Created
	for _, issue := range e.issues() {
		created = append(created, Created{issue.ID, kindHolding})
	}
	return created
}

// Records returns the ended instrument, then that of the new holder, then the balance.
func (e InstrumentEnded) Records(s *State) []any {
	all := records(s.Instrument(e.ID))
	for _, issue := range e.issues() {
		all = append(all, records(s.Instrument(issue.ID))...)
	}
	return all
}

// Creates returns the shareholdings, then the balance.
func (e InstrumentConverted) Creates() []Created {
	var created []Created
	for _, result := range e.results() {
		created = append(created, Created{result.ID, kindShareholding})
	}
	if e.Balance != nil {
		created = append(created, Created{e.Balance.ID, kindHolding})
	}
	return created
}

// Records returns the instrument, then the shareholdings, then the balance.
func (e InstrumentConverted) Records(s *State) []any {
	all := records(s.Instrument(e.ID))
	for _, result := range e.results() {
		all = append(all, records(s.Shareholding(result.ID))...)
	}
	if e.Balance != nil {
		all = append(all, records(s.Instrument(e.Balance.ID))...)
	}
	return all
}

// Creates returns the shareholding.
func (e WarrantExercised) Creates() []Created { return []Created{{e.Result.ID, kindShareholding}} }

// Records returns the warrant, then the shareholding.
func (e WarrantExercised) Records(s *State) []any {
	return append(records(s.Instrument(e.ID)), records(s.Shareholding(e.Result.ID))...)
}
