package captable

import "iter"

// Securities iterates over the securities in the order of their ids, which is the order of
// creation.
func (s *State) Securities() iter.Seq[*Security] { return s.classes.securities.All() }

// Legends iterates over the legends in the order of their ids.
func (s *State) Legends() iter.Seq[*Legend] { return s.classes.legends.All() }

// Valuations iterates over the valuations in the order of their ids.
func (s *State) Valuations() iter.Seq[*Valuation] { return s.valuations.All() }

// CapitalChanges iterates over the contributions, distributions and withdrawals in the order of
// entry.
func (s *State) CapitalChanges() iter.Seq[*CapitalChange] { return s.capitalChanges.All() }

// Blocks iterates over the funding rounds in the order of their ids.
func (s *State) Blocks() iter.Seq[*Block] { return s.blocks.records.All() }

// Plans iterates over the incentive plans in the order of their ids.
func (s *State) Plans() iter.Seq[*Plan] { return s.plans.records.All() }

// VestingSchedules iterates over the vesting schedules in the order of their ids, including those
// with a successor.
func (s *State) VestingSchedules() iter.Seq[*VestingSchedule] { return s.schedules.records.All() }

// Instruments iterates over the convertibles and warrants in the order of their ids, including
// ended ones.
func (s *State) Instruments() iter.Seq[*Instrument] { return s.instruments.records.All() }

// InstrumentsAfter iterates over the instruments after the given id.
func (s *State) InstrumentsAfter(after InstrumentID) iter.Seq[*Instrument] {
	return s.instruments.records.After(after)
}

// InstrumentsOf iterates over the convertibles and warrants of one holder, including ended ones.
func (s *State) InstrumentsOf(entity EntityID) iter.Seq[*Instrument] {
	return func(yield func(*Instrument) bool) {
		for id := range heldBy(s.instruments.byHolder, entity, InstrumentID{}) {
			if i, ok := s.Instrument(id); ok && !yield(i) {
				return
			}
		}
	}
}

// Shareholdings iterates over the shareholdings in the order of their ids, including ended ones.
func (s *State) Shareholdings() iter.Seq[*Shareholding] { return s.shares.records.All() }

// ShareholdingsAfter iterates over the shareholdings after the given id.
func (s *State) ShareholdingsAfter(after ShareholdingID) iter.Seq[*Shareholding] {
	return s.shares.records.After(after)
}

// ShareholdingsOf iterates over the shareholdings of one holder, including ended ones.
func (s *State) ShareholdingsOf(entity EntityID) iter.Seq[*Shareholding] {
	return s.ShareholdingsOfAfter(entity, ShareholdingID{})
}

// ShareholdingsOfAfter iterates over the shareholdings of one holder after the given id.
func (s *State) ShareholdingsOfAfter(entity EntityID, after ShareholdingID) iter.Seq[*Shareholding] {
	return func(yield func(*Shareholding) bool) {
		for id := range heldBy(s.shares.byHolder, entity, after) {
			if h, ok := s.Shareholding(id); ok && !yield(h) {
				return
			}
		}
	}
}
