package captable

import "iter"

// Securities lists the securities in the order of their ids, which is that of creation.
func (s *State) Securities() iter.Seq[*Security] { return s.securities.All() }

// Legends lists the legends in the order of their ids.
func (s *State) Legends() iter.Seq[*Legend] { return s.legends.All() }

// Valuations lists the valuations in the order of their ids.
func (s *State) Valuations() iter.Seq[*Valuation] { return s.valuations.All() }

// CapitalChanges lists what holders put in and took out, in the order of entry.
func (s *State) CapitalChanges() iter.Seq[*CapitalChange] { return s.capitalChanges.All() }

// Blocks lists the funding rounds in the order of their ids.
func (s *State) Blocks() iter.Seq[*Block] { return s.blocks.All() }

// Plans lists the incentive plans in the order of their ids.
func (s *State) Plans() iter.Seq[*Plan] { return s.plans.All() }

// VestingSchedules lists the vesting schedules in the order of their ids, those with a
// successor too.
func (s *State) VestingSchedules() iter.Seq[*VestingSchedule] { return s.vestingSchedules.All() }

// Instruments lists the convertibles and warrants in the order of their ids, ended ones too.
func (s *State) Instruments() iter.Seq[*Instrument] { return s.instruments.All() }

// InstrumentsAfter lists them from behind the given id on.
func (s *State) InstrumentsAfter(after InstrumentID) iter.Seq[*Instrument] {
	return s.instruments.After(after)
}

// InstrumentsOf lists the convertibles and warrants of one holder, ended ones too.
func (s *State) InstrumentsOf(entity EntityID) iter.Seq[*Instrument] {
	return func(yield func(*Instrument) bool) {
		for id := range heldBy(s.rights, entity, InstrumentID{}) {
			if i, ok := s.Instrument(id); ok && !yield(i) {
				return
			}
		}
	}
}

// Shareholdings lists all shareholdings in the order of their ids, ended ones too.
func (s *State) Shareholdings() iter.Seq[*Shareholding] { return s.shareholdings.All() }

// ShareholdingsAfter lists them from behind the given id on.
func (s *State) ShareholdingsAfter(after ShareholdingID) iter.Seq[*Shareholding] {
	return s.shareholdings.After(after)
}

// ShareholdingsOf lists the shareholdings of one holder, ended ones too.
func (s *State) ShareholdingsOf(entity EntityID) iter.Seq[*Shareholding] {
	return s.ShareholdingsOfAfter(entity, ShareholdingID{})
}

// ShareholdingsOfAfter lists one holder's from behind the given id on.
func (s *State) ShareholdingsOfAfter(entity EntityID, after ShareholdingID) iter.Seq[*Shareholding] {
	return func(yield func(*Shareholding) bool) {
		for id := range heldBy(s.holders, entity, after) {
			if h, ok := s.Shareholding(id); ok && !yield(h) {
				return
			}
		}
	}
}
