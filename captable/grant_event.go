package captable

// grantDecoders returns the decoders of grant events by event type.
func grantDecoders() map[string]func([]byte) (Event, error) {
	decoders := map[string]func([]byte) (Event, error){
		OptionGranted{}.EventType():        decode[OptionGranted],
		OptionAccepted{}.EventType():       decode[OptionAccepted],
		OptionAmended{}.EventType():        decode[OptionAmended],
		OptionCorrected{}.EventType():      decode[OptionCorrected],
		OptionVoided{}.EventType():         decode[OptionVoided],
		OptionRepriced{}.EventType():       decode[OptionRepriced],
		OptionRetracted{}.EventType():      decode[OptionRetracted],
		OptionVestingChanged{}.EventType(): decode[OptionVestingChanged],
		ExerciseRequested{}.EventType():    decode[ExerciseRequested],
		ExerciseDeclined{}.EventType():     decode[ExerciseDeclined],
	}
	for _, kind := range []Status{StatusExercised, StatusReleased} {
		decoders[OptionExercised{Taking: Taking{Kind: kind}}.EventType()] = decode[OptionExercised]
	}
	for _, kind := range []Status{StatusCancelled, StatusForfeited, StatusExpired} {
		decoders[OptionTaken{Taking: Taking{Kind: kind}}.EventType()] = decode[OptionTaken]
	}
	return decoders
}

// EventType returns the name of the event in the journal.
func (OptionGranted) EventType() string { return "optionGranted" }

// EventType returns the name of the event in the journal.
func (OptionAccepted) EventType() string { return "optionAccepted" }

// EventType returns the name of the event in the journal.
func (OptionAmended) EventType() string { return "optionAmended" }

// EventType returns the name of the event in the journal.
func (OptionCorrected) EventType() string { return "optionCorrected" }

// EventType returns the name of the event in the journal.
func (OptionVoided) EventType() string { return "optionVoided" }

// EventType returns the name of the event in the journal.
func (OptionRetracted) EventType() string { return "optionRetracted" }

// EventType returns the name of the event in the journal.
func (OptionVestingChanged) EventType() string { return "optionVestingChanged" }

// EventType returns the name of the event in the journal.
func (ExerciseRequested) EventType() string { return "optionExerciseRequested" }

// EventType returns the name of the event in the journal.
func (ExerciseDeclined) EventType() string { return "optionExerciseDeclined" }

// EventType returns the name of the event in the journal.
func (e OptionExercised) EventType() string {
	if e.Taking.Kind == StatusReleased {
		return "optionReleased"
	}
	return "optionExercised"
}

// EventType returns the name of the event in the journal.
func (e OptionTaken) EventType() string {
	switch e.Taking.Kind { //nolint:exhaustive // no other kinds occur
	case StatusForfeited:
		return "optionTerminated"
	case StatusExpired:
		return "optionExpired"
	default:
		return "optionCancelled"
	}
}

// Creates returns the grant.
func (e OptionGranted) Creates() []Created { return []Created{{e.ID, kindHolding}} }

// Records returns the grant.
func (e OptionGranted) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns nil.
func (OptionAccepted) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionAccepted) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns nil.
func (OptionAmended) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionAmended) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns nil.
func (OptionCorrected) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionCorrected) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns nil.
func (OptionVoided) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionVoided) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns nil.
func (OptionRetracted) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionRetracted) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns nil.
func (OptionVestingChanged) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionVestingChanged) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns nil, because a request is addressed through its grant.
func (ExerciseRequested) Creates() []Created { return nil }

// Records returns the grant.
func (e ExerciseRequested) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns nil.
func (ExerciseDeclined) Creates() []Created { return nil }

// Records returns the grant.
func (e ExerciseDeclined) Records(s *State) []any { return records(s.Grant(e.ID)) }

// Creates returns the shareholding.
func (e OptionExercised) Creates() []Created { return []Created{{e.Result.ID, kindShareholding}} }

// Records returns the grant, then the shareholding.
func (e OptionExercised) Records(s *State) []any {
	return append(records(s.Grant(e.ID)), records(s.Shareholding(e.Result.ID))...)
}

// Creates returns nil.
func (OptionTaken) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionTaken) Records(s *State) []any { return records(s.Grant(e.ID)) }
