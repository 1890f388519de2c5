package captable

import (
	"encoding/json"
	"slices"

	"equity/captable/vesting"
)

// Pack writes the state into a snapshot, or reads it back into an empty state. Records of
// frequent kinds are packed field by field; records of rare kinds are packed as JSON.
func (s *State) Pack(p *Packer) {
	packJSON(p, &s.configuration)
	p.Uint(&s.configured)
	carried := uint64(s.carried) //nolint:gosec // a count
	p.Uint(&carried)
	if p.reading {
		s.carried = int(carried) //nolint:gosec // a count
	}
	PackFew(p, s.classes.securities, func(r *Security) SecurityID { return r.ID })
	PackFew(p, s.classes.legends, func(r *Legend) LegendID { return r.ID })
	packIndexes(s, p, s.shares.pack(p))
	PackFew(p, s.valuations, func(r *Valuation) ValuationID { return r.ID })
	PackFew(p, s.capitalChanges, func(r *CapitalChange) CapitalChangeID { return r.ID })
	PackFew(p, s.blocks.records, func(r *Block) BlockID { return r.ID })
	PackFew(p, s.plans.records, func(r *Plan) PlanID { return r.ID })
	s.plans.packMoves(p)
	s.grants.pack(p)
	PackFew(p, s.schedules.records, func(r *VestingSchedule) VestingScheduleID { return r.ID })
	s.instruments.pack(p)
	if p.reading && !p.failed {
		if p.failed = !coheres(s); !p.failed {
			for grant := range s.Grants() {
				s.linkClass(grant)
			}
			countUses(s)
		}
	}
}

// coheres reports whether the state contains the records that the rules rely on. A checksum
// detects damaged storage; this check detects errors of the packing code.
func coheres(s *State) bool {
	for security := range s.Securities() {
		if len(security.Authorizations) == 0 {
			return false
		}
	}
	var last *Security
	for h := range s.Shareholdings() {
		if last != nil && last.ID == h.Security {
			continue
		}
		if last, _ = s.Security(h.Security); last == nil {
			return false
		}
	}
	return s.shares.byHolder.Len() == s.shares.records.Len()
}

// leastRecord is a lower bound on the size of a packed record in bytes. Each record contains ids
// and times.
const leastRecord = 64

// PackFew packs the records of a kind with few records per organization.
func PackFew[R any](p *Packer, records Records[R, R], id func(*R) ID[R]) {
	n := p.Len(records.Len())
	if p.reading {
		for i := 0; i < n && !p.failed; i++ {
			record := new(R)
			packJSON(p, record)
			records.Load(id(record), record)
		}
		return
	}
	for record := range records.All() {
		packJSON(p, record)
	}
}

// blockOf is the number of shareholdings per block. A block of this size justifies a goroutine.
const blockOf = 4096

// pack packs the shareholdings in the order of their ids and returns them.
func (r *shareRegister) pack(p *Packer) []*Shareholding {
	n := p.LenOf(r.records.Len(), leastRecord)
	all := make([]*Shareholding, 0, n)
	if p.reading {
		room := make([]Shareholding, n) // one allocation, as the records have the same lifetime
		for i := range room {
			all = append(all, &room[i])
		}
	} else {
		all = slices.AppendSeq(all, r.records.All())
	}
	blocks := slices.Collect(slices.Chunk(all, blockOf))
	p.Blocks(len(blocks), func(p *Packer, i int) {
		for _, h := range blocks[i] {
			p.shareholding(h)
		}
	})
	return all
}

// packIndexes packs the order of each index as positions in the list of shareholdings. The
// unpacker then appends entries instead of searching for their positions.
func packIndexes(s *State, p *Packer, all []*Shareholding) {
	place := map[ShareholdingID]uint64{}
	if !p.reading {
		for i, h := range all {
			place[h.ID] = uint64(i)
		}
	}
	each := func(p *Packer, n int, ids func(func(ShareholdingID)), load func(*Shareholding)) {
		n = p.Len(n)
		if !p.reading {
			ids(func(id ShareholdingID) { at := place[id]; p.Uint(&at) })
			return
		}
		for range n {
			var at uint64
			if p.Uint(&at); at < uint64(len(all)) {
				load(all[at])
			}
		}
	}
	indexes := []func(*Packer){
		func(p *Packer) {
			each(p, s.shares.byHolder.Len(), func(yield func(ShareholdingID)) {
				s.shares.byHolder.Scan(func(key heldKey) bool { yield(key.id); return true })
			}, func(h *Shareholding) { s.shares.byHolder.Load(heldKey{h.Entity, h.ID}) })
		},
		func(p *Packer) {
			each(p, s.shares.certificates.Len(), func(yield func(ShareholdingID)) {
				s.shares.certificates.Scan(func(_ string, id ShareholdingID) bool { yield(id); return true })
			}, func(h *Shareholding) { s.shares.certificates.Load(h.Certificate, h.ID) })
		},
		s.externalIDs.pack,
		func(p *Packer) {
			for i := 0; p.reading && i < len(all); i++ {
				s.shares.records.Load(all[i].ID, all[i])
			}
		},
	}
	p.Blocks(len(indexes), func(p *Packer, i int) { indexes[i](p) })
}

// pack packs the external ids in their order. The unpacker appends to the tree without
// comparisons.
func (x *externalIDs) pack(p *Packer) {
	n := p.Len(x.index.Len())
	if !p.reading {
		x.index.Scan(func(name string, id [16]byte) bool {
			p.Text(&name)
			p.UUID(&id)
			return true
		})
		return
	}
	for range n {
		var name string
		var id [16]byte
		p.Text(&name)
		p.UUID(&id)
		x.index.Load(name, id)
	}
}

// packMoves packs the moves of the pools in the order of the index.
func (r *planRegister) packMoves(p *Packer) {
	n := p.LenOf(r.moves.Len(), leastMove)
	if !p.reading {
		r.moves.Scan(func(move poolMove) bool { p.poolMove(&move); return true })
		return
	}
	for i := 0; i < n && !p.failed; i++ {
		var move poolMove
		p.poolMove(&move)
		r.moves.Load(move)
	}
}

// leastMove is a lower bound on the size of a packed move in bytes. Each move contains an id and
// five figures.
const leastMove = 20

func (p *Packer) poolMove(move *poolMove) {
	p.UUID((*[16]byte)(&move.pool))
	p.Date(&move.date)
	p.Bool(&move.sized)
	change := &move.change
	for _, figure := range []*Decimal{&change.Reserve, &change.Granted, &change.Exercised, &change.Cancelled, &change.Returned} {
		p.Decimal(figure)
	}
}

// packJSON packs a record of a rare kind as JSON. A new field needs no code here. It needs no new
// snapshot version either, unless the meaning of a field changes.
func packJSON[R any](p *Packer, record *R) {
	var text string
	if !p.reading {
		packed, err := json.Marshal(record)
		if err != nil {
			p.failed = true
		}
		text = string(packed)
	}
	p.Text(&text)
	if p.reading {
		p.failed = p.failed || json.Unmarshal([]byte(text), record) != nil
	}
}

// shareholding packs a shareholding. An organization may have hundreds of thousands of them, so
// fields that few have are packed only where they are present.
func (p *Packer) shareholding(h *Shareholding) {
	p.UUID((*[16]byte)(&h.ID))
	p.UUID((*[16]byte)(&h.Entity))
	p.UUID((*[16]byte)(&h.Security))
	p.Decimal(&h.Shares)
	p.Date(&h.IssueDate)
	serial := uint64(h.SerialNumber)
	p.Uint(&serial)
	if p.reading {
		h.SerialNumber = uint32(serial) //nolint:gosec // packed from a uint32
	}
	p.Text((*string)(&h.Status))
	p.Text(&h.ShareholderName)
	p.Text(&h.Certificate)
	p.price(&h.PricePerShare)
	p.Meta(&h.Meta)
	p.shareDetails(&h.ShareholdingDetails)
	p.shareHistory(h)
}

// price packs an optional price. Prices that are read share allocations.
func (p *Packer) price(price **Price) {
	present := *price != nil
	if p.Bool(&present); !present {
		return
	}
	if p.reading {
		if len(p.prices) == 0 {
			p.prices = make([]Price, 64)
		}
		*price, p.prices = &p.prices[0], p.prices[1:]
	}
	p.Decimal(&(*price).Amount)
	p.Text(&(*price).Currency)
}

// shareDetails packs the clerical fields that few shareholdings have.
func (p *Packer) shareDetails(d *ShareholdingDetails) {
	present := p.sparse(len(d.Legends) > 0, d.Consideration != nil, d.IssuanceType != "", d.VestingSchedule != "", d.VestingStart != 0,
		len(d.Vestings) > 0, d.BoardApprovalDate != 0, d.Rule144Date != 0, d.Block != "", d.ExternalID != "", len(d.Comments) > 0)
	if present.next() {
		List(p, &d.Legends, func(id *LegendID) { p.UUID((*[16]byte)(id)) })
	}
	if present.next() {
		Optional(p, &d.Consideration, func(c *Consideration) {
			for _, part := range []*Decimal{&c.Cash, &c.DebtCancelled, &c.IP, &c.Services, &c.Other} {
				p.Decimal(part)
			}
		})
	}
	present.text(p, &d.IssuanceType)
	present.text(p, &d.VestingSchedule)
	present.date(p, &d.VestingStart)
	if present.next() {
		List(p, &d.Vestings, func(v *vesting.Vesting) {
			p.Date(&v.Date)
			p.Decimal(&v.Quantity)
		})
	}
	present.date(p, &d.BoardApprovalDate)
	present.date(p, &d.Rule144Date)
	present.text(p, &d.Block)
	present.text(p, &d.ExternalID)
	if present.next() {
		List(p, &d.Comments, p.Text)
	}
}

// shareHistory packs the award and the events of a shareholding, which few have.
func (p *Packer) shareHistory(h *Shareholding) {
	present := p.sparse(!h.FromTreasury.IsZero(), h.awarded(), h.AcceptedOn != 0, h.Origin != nil, len(h.Results) > 0, h.End != nil,
		h.Termination != nil, len(h.Before) > 0, h.PreferencePrice != nil, h.OriginalConsideration != nil)
	if present.next() {
		p.Decimal(&h.FromTreasury)
	}
	if present.next() {
		p.UUID((*[16]byte)(&h.Plan))
		p.UUID((*[16]byte)(&h.Pool))
	}
	present.date(p, &h.AcceptedOn)
	if present.next() {
		Optional(p, &h.Origin, func(o *Origin) {
			p.Text((*string)(&o.Kind))
			List(p, &o.From, func(id *ShareholdingID) { p.UUID((*[16]byte)(id)) })
			p.UUID((*[16]byte)(&o.Option))
			p.UUID((*[16]byte)(&o.Holding))
		})
	}
	if present.next() {
		List(p, &h.Results, func(id *ShareholdingID) { p.UUID((*[16]byte)(id)) })
	}
	if present.next() {
		Optional(p, &h.End, func(e *End) {
			p.Date(&e.Date)
			p.Text(&e.Reason)
			p.Instant(&e.At)
			p.Text(&e.By)
		})
		p.Decimal(&h.EndedShares)
		p.Uint(&h.EndedSplits)
	}
	if present.next() {
		Optional(p, &h.Termination, func(t *Termination) {
			p.Date(&t.Date)
			p.Text((*string)(&t.Reason))
		})
	}
	if present.next() {
		List(p, &h.Before, func(c *ShareCount) {
			p.Date(&c.Until)
			p.Decimal(&c.Shares)
			p.Decimal(&c.FromTreasury)
			p.ratio(&c.Ratio)
		})
	}
	if present.next() {
		Optional(p, &h.PreferencePrice, func(paid *PaidPrice) {
			p.Decimal(&paid.Amount)
			p.Text(&paid.Currency)
			List(p, &paid.Splits, p.ratio)
		})
	}
	if present.next() {
		Optional(p, &h.OriginalConsideration, p.Decimal)
	}
}

func (p *Packer) ratio(r *Ratio) {
	p.Decimal(&r.Numerator)
	p.Decimal(&r.Denominator)
}

// Meta packs the fields that are common to all records.
func (p *Packer) Meta(m *Meta) {
	p.Instant(&m.CreatedAt)
	p.Instant(&m.UpdatedAt)
	p.Uint(&m.Version)
}
