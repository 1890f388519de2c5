package captable

import (
	"slices"
	"strings"

	"github.com/tidwall/btree"
)

// State is the cap table of one organization after one event. Use [NewState]; the zero State is
// not usable.
//
// It consists of copy-on-write trees of immutable records. Only one goroutine may change a State.
// Any number of goroutines may read the result of [State.Copy] concurrently.
type State struct {
	securities     Records[Security, Security]
	legends        Records[Legend, Legend]
	shareholdings  Records[Shareholding, Shareholding]
	valuations     Records[Valuation, Valuation]
	capitalChanges Records[CapitalChange, CapitalChange]
	blocks         Records[Block, Block]
	plans          Records[Plan, Plan]
	// vestingSchedules includes schedules with a successor.
	vestingSchedules Records[VestingSchedule, VestingSchedule]
	// poolMoves are the changes of the pools, by pool and day.
	poolMoves   *btree.BTreeG[poolMove]
	instruments Records[Instrument, Instrument]
	grants      Records[Grant, Grant]
	// granted is the index of grants by holder.
	granted holderIndex[Grant]
	// rights is the index of instruments by holder.
	rights holderIndex[Instrument]
	// holders is the index of shareholdings by holder.
	holders holderIndex[Shareholding]
	// certificates and externalIDs are unique indexes.
	certificates  *btree.Map[string, ShareholdingID]
	externalIDs   *btree.Map[string, [16]byte]
	configuration Configuration
	// configured is the journal sequence of the last change of the configuration.
	configured uint64
	// carried is the number of carried objects of imported packages.
	carried int
	// unlimited is set while a command is decided without limits; see [DeferLimits].
	unlimited bool
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
		securities:       NewRecords[Security, Security](),
		legends:          NewRecords[Legend, Legend](),
		shareholdings:    NewRecords[Shareholding, Shareholding](),
		valuations:       NewRecords[Valuation, Valuation](),
		capitalChanges:   NewRecords[CapitalChange, CapitalChange](),
		blocks:           NewRecords[Block, Block](),
		plans:            NewRecords[Plan, Plan](),
		vestingSchedules: NewRecords[VestingSchedule, VestingSchedule](),
		instruments:      NewRecords[Instrument, Instrument](),
		poolMoves:        btree.NewBTreeGOptions(poolMove.less, btree.Options{NoLocks: true}),
		grants:           NewRecords[Grant, Grant](),
		granted:          newHolderIndex[Grant](),
		rights:           newHolderIndex[Instrument](),
		holders:          newHolderIndex[Shareholding](),
		certificates:     &btree.Map[string, ShareholdingID]{},
		externalIDs:      &btree.Map[string, [16]byte]{},
		configuration:    NewConfiguration(),
	}
}

// Copy returns an independent copy in constant time. It also modifies the receiver, so that
// goroutines that share a State must not call it concurrently.
func (s *State) Copy() *State {
	c := *s
	c.securities, c.legends, c.shareholdings = s.securities.Copy(), s.legends.Copy(), s.shareholdings.Copy()
	c.valuations, c.capitalChanges, c.blocks = s.valuations.Copy(), s.capitalChanges.Copy(), s.blocks.Copy()
	c.plans, c.poolMoves, c.vestingSchedules = s.plans.Copy(), s.poolMoves.Copy(), s.vestingSchedules.Copy()
	c.instruments, c.rights = s.instruments.Copy(), s.rights.Copy()
	c.grants, c.granted = s.grants.Copy(), s.granted.Copy()
	c.holders, c.certificates, c.externalIDs = s.holders.Copy(), s.certificates.Copy(), s.externalIDs.Copy()
	return &c
}

// Configuration returns the configuration of the organization's cap table.
func (s *State) Configuration() Configuration { return s.configuration }

// ConfigurationVersion returns the journal sequence of the last change of the configuration; 0
// for the initial configuration.
func (s *State) ConfigurationVersion() uint64 { return s.configured }

// Security returns the security with the id.
func (s *State) Security(id SecurityID) (*Security, bool) {
	return s.securities.Get(id)
}

// Legend returns the legend with the id.
func (s *State) Legend(id LegendID) (*Legend, bool) { return s.legends.Get(id) }

// Shareholding returns the shareholding with the id, including ended and voided ones.
func (s *State) Shareholding(id ShareholdingID) (*Shareholding, bool) {
	return s.shareholdings.Get(id)
}

// Holds reports whether the entity has outstanding grants, instruments or shares. It checks the
// newest shares first, because active traders have many ended shareholdings.
func (s *State) Holds(entity EntityID) bool {
	if s.holdsGrant(entity) {
		return true
	}
	for i := range s.InstrumentsOf(entity) {
		if i.Status.Outstanding() {
			return true
		}
	}
	holds, last := false, holderKey{entity: entity}
	for i := range last.id {
		last.id[i] = 0xff
	}
	s.holders.Descend(last, func(key holderKey) bool {
		if key.entity == entity {
			h, ok := s.Shareholding(key.id)
			holds = ok && h.Status.Outstanding()
		}
		return key.entity == entity && !holds
	})
	return holds
}

// Counts returns the numbers of securities, legends and shareholdings, including ended ones.
func (s *State) Counts() (securities, legends, shareholdings int) {
	return s.securities.Len(), s.legends.Len(), s.shareholdings.Len()
}

func (s *State) security(id SecurityID) (*Security, error) {
	if security, ok := s.Security(id); ok {
		return security, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such security.")
}

func (s *State) legend(id LegendID) (*Legend, error) {
	if legend, ok := s.Legend(id); ok {
		return legend, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such legend.")
}

func (s *State) shareholding(id ShareholdingID) (*Shareholding, error) {
	if h, ok := s.Shareholding(id); ok {
		return h, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such shareholding.")
}

func (s *State) outstanding(id ShareholdingID) (*Shareholding, error) {
	h, err := s.shareholding(id)
	if err == nil && !h.Status.Outstanding() {
		return nil, Refuse(CodeConflict, "The shareholding has ended.").With("status", string(h.Status))
	}
	return h, err
}

func (s *State) securityNamed(name string) *Security {
	for security := range s.Securities() {
		if strings.EqualFold(security.Name, name) {
			return security
		}
	}
	return nil
}

func (s *State) convertsInto(id SecurityID) *Security {
	for security := range s.Securities() {
		if security.Conversion != nil && security.Conversion.Security == id {
			return security
		}
	}
	return nil
}

func (s *State) changeSecurity(id SecurityID, stamp Stamp, change func(*Security)) {
	touch(s.securities, id, stamp, change)
}

func (s *State) changeShareholding(id ShareholdingID, stamp Stamp, change func(*Shareholding)) {
	touch(s.shareholdings, id, stamp, change)
}

// unusedExternalID refuses an external id that another record of the kind has.
func (s *State) unusedExternalID(kind, externalID string, self [16]byte) error {
	if taken, ok := s.externalIDs.Get(kind + ":" + externalID); ok && externalID != "" && taken != self {
		return Refuse(CodeConflict, "Another "+kind+" has this externalId.").With("externalId", externalID)
	}
	return nil
}

func (s *State) setExternalID(kind, old, now string, id [16]byte) {
	if old != "" {
		s.externalIDs.Delete(kind + ":" + old)
	}
	if now != "" {
		s.externalIDs.Set(kind+":"+now, id)
	}
}

// legendInUse reports whether a security or shareholding has the legend. Ended shareholdings
// count, because their certificates can still be printed.
func (s *State) legendInUse(id LegendID) bool {
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
