package captable

import (
	"iter"
	"slices"
	"strings"

	"equity/captable/sorted"
	"equity/fault"
)

// State is the cap table of one organization after one event. Use [NewState]; the zero State is
// not usable.
//
// It consists of copy-on-write trees of immutable records. Only one goroutine may change a State.
// Any number of goroutines may read the result of [State.Copy] concurrently.
type State struct {
	classes        classes
	shares         shareRegister
	grants         grantRegister
	instruments    instrumentRegister
	plans          planRegister
	schedules      scheduleRegister
	blocks         blockRegister
	valuations     Records[Valuation, Valuation]
	capitalChanges Records[CapitalChange, CapitalChange]
	externalIDs    externalIDs
	configuration  Configuration
	// configured is the journal sequence of the last change of the configuration.
	configured uint64
	// carried is the number of carried objects of imported packages.
	carried int
}

// The kinds of records with an id.
const (
	kindSecurity        = "security"
	kindLegend          = "legend"
	kindShareholding    = "shareholding"
	kindValuation       = "valuation"
	kindCapitalChange   = "capitalChange"
	kindBlock           = "block"
	kindPlan            = "plan"
	kindVestingSchedule = "vestingSchedule"
	kindHolding         = "holding"
)

// NewState returns an empty cap table.
func NewState() *State {
	return &State{
		classes:        classes{securities: NewRecords[Security, Security](), legends: NewRecords[Legend, Legend]()},
		shares:         shareRegister{NewRecords[Shareholding, Shareholding](), newHolderIndex(), sorted.NewMap[ShareholdingID]()},
		grants:         grantRegister{NewRecords[Grant, Grant](), newHolderIndex(), sorted.NewSet(lapseKey.less)},
		instruments:    instrumentRegister{NewRecords[Instrument, Instrument](), newHolderIndex()},
		plans:          planRegister{NewRecords[Plan, Plan](), sorted.NewSet(poolMove.less)},
		schedules:      scheduleRegister{NewRecords[VestingSchedule, VestingSchedule]()},
		blocks:         blockRegister{NewRecords[Block, Block]()},
		valuations:     NewRecords[Valuation, Valuation](),
		capitalChanges: NewRecords[CapitalChange, CapitalChange](),
		externalIDs:    externalIDs{sorted.NewMap[[16]byte]()},
		configuration:  NewConfiguration(),
	}
}

// Copy returns an independent copy in constant time. It also modifies the receiver, so that
// goroutines that share a State must not call it concurrently.
func (s *State) Copy() *State {
	c := *s
	c.classes = classes{s.classes.securities.Copy(), s.classes.legends.Copy(), s.classes.unlimited}
	c.shares = shareRegister{s.shares.records.Copy(), s.shares.byHolder.Copy(), s.shares.certificates.Copy()}
	c.grants = grantRegister{s.grants.records.Copy(), s.grants.byHolder.Copy(), s.grants.byLapse.Copy()}
	c.instruments = instrumentRegister{s.instruments.records.Copy(), s.instruments.byHolder.Copy()}
	c.plans = planRegister{s.plans.records.Copy(), s.plans.moves.Copy()}
	c.schedules = scheduleRegister{s.schedules.records.Copy()}
	c.blocks = blockRegister{s.blocks.records.Copy()}
	c.valuations, c.capitalChanges = s.valuations.Copy(), s.capitalChanges.Copy()
	c.externalIDs = externalIDs{s.externalIDs.index.Copy()}
	return &c
}

// Configuration returns the configuration of the organization's cap table.
func (s *State) Configuration() Configuration { return s.configuration }

// ConfigurationVersion returns the journal sequence of the last change of the configuration; 0
// for the initial configuration.
func (s *State) ConfigurationVersion() uint64 { return s.configured }

// Security returns the security with the id.
func (s *State) Security(id SecurityID) (*Security, bool) {
	return s.classes.securities.Get(id)
}

// Legend returns the legend with the id.
func (s *State) Legend(id LegendID) (*Legend, bool) { return s.classes.legends.Get(id) }

// Shareholding returns the shareholding with the id, including ended and voided ones.
func (s *State) Shareholding(id ShareholdingID) (*Shareholding, bool) {
	return s.shares.records.Get(id)
}

// Holds reports whether the entity has outstanding grants, instruments or shares. It checks the
// newest shares first, because active traders have many ended shareholdings.
func (s *State) Holds(entity EntityID) bool {
	if s.grants.holds(entity) {
		return true
	}
	for i := range s.InstrumentsOf(entity) {
		if i.Status.Outstanding() {
			return true
		}
	}
	holds, last := false, heldKey{entity: entity}
	for i := range last.id {
		last.id[i] = 0xff
	}
	s.shares.byHolder.Descend(last, func(key heldKey) bool {
		if key.entity == entity {
			h, ok := s.Shareholding(key.id)
			holds = ok && h.Status.Outstanding()
		}
		return key.entity == entity && !holds
	})
	return holds
}

// Held reports whether the entity holds or held anything, including ended and voided records.
func (s *State) Held(entity EntityID) bool {
	for range heldBy(s.shares.byHolder, entity, ShareholdingID{}) {
		return true
	}
	for range heldBy(s.grants.byHolder, entity, GrantID{}) {
		return true
	}
	for range heldBy(s.instruments.byHolder, entity, InstrumentID{}) {
		return true
	}
	return false
}

// Counts returns the numbers of securities, legends and shareholdings, including ended ones.
func (s *State) Counts() (securities, legends, shareholdings int) {
	return s.classes.securities.Len(), s.classes.legends.Len(), s.shares.records.Len()
}

func (c *classes) security(id SecurityID) (*Security, error) {
	if security, ok := c.securities.Get(id); ok {
		return security, nil
	}
	return nil, fault.Refuse(fault.NotFound, "There is no such security.")
}

func (c *classes) legend(id LegendID) (*Legend, error) {
	if legend, ok := c.legends.Get(id); ok {
		return legend, nil
	}
	return nil, fault.Refuse(fault.NotFound, "There is no such legend.")
}

func (r *shareRegister) shareholding(id ShareholdingID) (*Shareholding, error) {
	if h, ok := r.records.Get(id); ok {
		return h, nil
	}
	return nil, fault.Refuse(fault.NotFound, "There is no such shareholding.")
}

func (r *shareRegister) outstanding(id ShareholdingID) (*Shareholding, error) {
	h, err := r.shareholding(id)
	if err == nil && !h.Status.Outstanding() {
		return nil, fault.Refuse(fault.Conflict, "The shareholding has ended.").With("status", string(h.Status))
	}
	return h, err
}

func (c *classes) securityNamed(name string) *Security {
	for security := range c.securities.All() {
		if strings.EqualFold(security.Name, name) {
			return security
		}
	}
	return nil
}

func (c *classes) convertsInto(id SecurityID) *Security {
	for security := range c.securities.All() {
		if security.Conversion != nil && security.Conversion.Security == id {
			return security
		}
	}
	return nil
}

func (c *classes) changeSecurity(id SecurityID, stamp Stamp, change func(*Security)) {
	touch(c.securities, id, stamp, change)
}

func (r *shareRegister) change(id ShareholdingID, stamp Stamp, change func(*Shareholding)) {
	touch(r.records, id, stamp, change)
}

// checkUnused refuses an external id that another record of the kind has.
func (x *externalIDs) checkUnused(kind, externalID string, self [16]byte) error {
	if taken, ok := x.index.Get(kind + ":" + externalID); ok && externalID != "" && taken != self {
		return fault.Refuse(fault.Conflict, "Another "+kind+" has this externalId.").With("externalId", externalID)
	}
	return nil
}

func (x *externalIDs) set(kind, old, now string, id [16]byte) {
	if old != "" {
		x.index.Delete(kind + ":" + old)
	}
	if now != "" {
		x.index.Set(kind+":"+now, id)
	}
}

// legendInUse reports whether a security or shareholding has the legend. Ended shareholdings
// count, because their certificates can still be printed.
func legendInUse(s *State, id LegendID) bool {
	carries := func(legends []LegendID) bool { return slices.Contains(legends, id) }
	for security := range s.Securities() {
		if carries(security.Legends) {
			return true
		}
	}
	for h := range s.Shareholdings() {
		if carries(h.Legends) {
			return true
		}
	}
	return false
}

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

// The parts of a [State]. Each part contains the records of one subject with their indexes, and the
// operations that need nothing else.
type (
	// classes contains the securities and the legends.
	classes struct {
		securities Records[Security, Security]
		legends    Records[Legend, Legend]
		// unlimited is set while a command is decided without limits; see [DeferLimits].
		unlimited bool
	}
	// shareRegister contains the shareholdings, also ended and voided ones. The certificates are a
	// unique index.
	shareRegister struct {
		records      Records[Shareholding, Shareholding]
		byHolder     holderIndex
		certificates sorted.Map[ShareholdingID]
	}
	// grantRegister contains the grants. The index by lapse contains those that can lapse.
	grantRegister struct {
		records  Records[Grant, Grant]
		byHolder holderIndex
		byLapse  sorted.Set[lapseKey]
	}
	// instrumentRegister contains the convertibles and the warrants.
	instrumentRegister struct {
		records  Records[Instrument, Instrument]
		byHolder holderIndex
	}
	// planRegister contains the plans with their pools. The moves are the changes of the pools, by
	// pool and day.
	planRegister struct {
		records Records[Plan, Plan]
		moves   sorted.Set[poolMove]
	}
	// scheduleRegister contains the vesting schedules, also those with a successor.
	scheduleRegister struct {
		records Records[VestingSchedule, VestingSchedule]
	}
	// blockRegister contains the funding rounds.
	blockRegister struct {
		records Records[Block, Block]
	}
	// externalIDs is a unique index of the external ids, by kind and id.
	externalIDs struct {
		index sorted.Map[[16]byte]
	}
)
