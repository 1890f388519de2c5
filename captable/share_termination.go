package captable

// TerminateShares is the command to end the vesting of shareholdings after the service of their
// first holder ended. It is used for imported packages. Shares that are not vesting on the day
// are ignored.
type TerminateShares struct {
	Shareholdings []ShareholdingID
	Termination
	Source *Source
}

// VestingStopped records that shares stopped vesting on a day. Their unvested part may be
// repurchased.
type VestingStopped struct {
	Shareholdings []ShareholdingID `json:"shareholdings"`
	Termination   Termination      `json:"termination"`
	Source        *Source          `json:"source,omitempty"`
}

func (c TerminateShares) decide(s *State, m Moment) ([]Event, error) {
	var faults Faults
	m.checkDate(&faults, "/date", c.Date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	var stopped []ShareholdingID
	for _, id := range c.Shareholdings {
		h, err := s.shares.shareholding(id)
		if err != nil {
			return nil, err
		}
		if stopsVesting(s, h, c.Date) {
			stopped = append(stopped, id)
		}
	}
	if len(stopped) == 0 {
		return nil, nil
	}
	return []Event{VestingStopped{Shareholdings: stopped, Termination: c.Termination, Source: c.Source}}, nil
}

// stopsVesting reports whether a termination on the day stops the vesting of the shares. It is
// false for shares of an early exercise, which stop with their option.
func stopsVesting(s *State, h *Shareholding, day Date) bool {
	if !h.vests() || h.Termination != nil || h.Status == StatusVoided || h.Status == StatusRetracted || h.End != nil && h.End.Date <= day {
		return false
	}
	if _, early := newExerciseVesting(s, day).of(h); early {
		return false
	}
	vested, vests := vestedBySchedule(s, h, day)
	return vests && vested.Unvested.Sign() > 0
}

// stopVesting returns the event that stops the vesting of the unvested shares of a leaving
// holder: the shares that were issued to the holder until the day, and the shares that result
// from them, regardless of their present holder. It returns no event if there are no such shares.
func stopVesting(s *State, entity EntityID, termination Termination) []Event {
	var stopped []ShareholdingID
	seen := map[ShareholdingID]bool{}
	var visit func(h *Shareholding)
	visit = func(h *Shareholding) {
		if seen[h.ID] {
			return
		}
		seen[h.ID] = true
		if stopsVesting(s, h, termination.Date) {
			stopped = append(stopped, h.ID)
		}
		for _, id := range h.Results {
			if result, known := s.Shareholding(id); known && result.vests() {
				visit(result)
			}
		}
	}
	for h := range s.ShareholdingsOf(entity) {
		if h.IssueDate <= termination.Date && h.vests() && s.shares.awardedTo(h) == entity {
			visit(h)
		}
	}
	if len(stopped) == 0 {
		return nil
	}
	return []Event{VestingStopped{Shareholdings: stopped, Termination: termination}}
}

// awardedTo returns the first holder of the shares. The vesting depends on the service of this
// person.
func (r *shareRegister) awardedTo(h *Shareholding) EntityID {
	for h.Origin != nil && len(h.Origin.From) > 0 {
		from, known := r.records.Get(h.Origin.From[0])
		if !known || !from.vests() {
			break
		}
		h = from
	}
	return h.Entity
}

func (e VestingStopped) apply(s *State, stamp Stamp) {
	for _, id := range e.Shareholdings {
		s.shares.change(id, stamp, func(h *Shareholding) { h.Termination = &e.Termination })
	}
}

// EventType returns the name of the event.
func (VestingStopped) EventType() string { return "shareholdingVestingStopped" }

// Creates returns nil: the event creates no records.
func (VestingStopped) Creates() []Created { return nil }

// Records returns the shareholdings.
func (e VestingStopped) Records(s *State) (all []any) {
	for _, id := range e.Shareholdings {
		all = append(all, records(s.Shareholding(id))...)
	}
	return all
}

// StoppedBy returns the termination that stopped the vesting by the end of the day, or nil.
func (h *Shareholding) StoppedBy(day Date) *Termination {
	if h.Termination == nil || h.Termination.Date > day {
		return nil
	}
	return h.Termination
}

// inheritTermination stops the vesting of shares that result from stopped ones.
func (h *Shareholding) inheritTermination(s *State) {
	if !h.vests() || h.Origin == nil {
		return
	}
	for _, id := range h.Origin.From {
		if from, known := s.Shareholding(id); known && from.Termination != nil {
			h.Termination = from.Termination
			return
		}
	}
}
