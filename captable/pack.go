package captable

import "encoding/json"

// Pack writes the state into a snapshot, or reads it back into an empty state.
// Mass records are walked field by field; the few others travel as JSON.
func (s *State) Pack(p *Packer) {
	packJSON(p, &s.configuration)
	p.Uint(&s.configured)
	carried := uint64(s.carried) //nolint:gosec // a count
	p.Uint(&carried)
	if p.reading {
		s.carried = int(carried) //nolint:gosec // a count
	}
	packTree(p, s.securities.Len(), s.Securities(), func(r *Security) { s.securities.Load(r) }, packJSON)
	packTree(p, s.legends.Len(), s.Legends(), func(r *Legend) { s.legends.Load(r) }, packJSON)
	var all []*Shareholding
	packTree(p, s.shareholdings.Len(), s.Shareholdings(), func(h *Shareholding) {
		s.shareholdings.Load(h)
		all = append(all, h)
	}, (*Packer).shareholding)
	s.packIndexes(p, all)
	if p.reading && !p.failed {
		p.failed = !s.coheres()
	}
}

// coheres reports whether everything that the rules rely on is there. Storage that was
// damaged is found by a checksum; this finds what was packed wrong.
func (s *State) coheres() bool {
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
	return s.holders.Len() == s.shareholdings.Len()
}

// leastRecord is fewer bytes than any packed record takes: each has its ids and times.
const leastRecord = 64

// packTree packs the records of a tree in their order, so that reading them back
// appends instead of searching.
func packTree[R any](p *Packer, n int, records func(func(*R) bool), load func(*R), walk func(*Packer, *R)) {
	n = p.LenOf(n, leastRecord)
	if p.reading {
		room := make([]R, n) // one allocation for all: the records live and die together
		for i := 0; i < n && !p.failed; i++ {
			walk(p, &room[i])
			load(&room[i])
		}
		return
	}
	records(func(record *R) bool {
		walk(p, record)
		return true
	})
}

// packIndexes writes the order of each index as places in the list of shareholdings.
func (s *State) packIndexes(p *Packer, all []*Shareholding) {
	place := map[ShareholdingID]uint64{}
	if !p.reading {
		for h := range s.Shareholdings() {
			place[h.ID] = uint64(len(place))
		}
	}
	each := func(n int, ids func(func(ShareholdingID)), load func(*Shareholding)) {
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
	each(s.holders.Len(), func(yield func(ShareholdingID)) {
		s.holders.Scan(func(key holderKey) bool { yield(key.id); return true })
	}, func(h *Shareholding) { s.holders.Load(holderKey{h.Entity, h.ID}) })
	each(s.certificates.Len(), func(yield func(ShareholdingID)) {
		s.certificates.Scan(func(_ string, id ShareholdingID) bool { yield(id); return true })
	}, func(h *Shareholding) { s.certificates.Load(h.Certificate, h.ID) })
	s.packExternalIDs(p)
}

func (s *State) packExternalIDs(p *Packer) {
	n := p.Len(s.externalIDs.Len())
	if !p.reading {
		s.externalIDs.Scan(func(name string, id [16]byte) bool {
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
		s.externalIDs.Load(name, id)
	}
}

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
	p.Decimal(&h.FromTreasury)
	p.details(&h.ShareholdingDetails)
	p.Text((*string)(&h.Status))
	p.Date(&h.AcceptedOn)
	Optional(p, &h.Origin, func(o *Origin) {
		p.Text((*string)(&o.Kind))
		List(p, &o.From, func(id *ShareholdingID) { p.UUID((*[16]byte)(id)) })
	})
	List(p, &h.Results, func(id *ShareholdingID) { p.UUID((*[16]byte)(id)) })
	Optional(p, &h.End, func(e *End) {
		p.Date(&e.Date)
		p.Text(&e.Reason)
		p.Instant(&e.At)
		p.Text(&e.By)
	})
	List(p, &h.Before, func(c *ShareCount) {
		p.Date(&c.Until)
		p.Decimal(&c.Shares)
		p.Decimal(&c.FromTreasury)
	})
	p.Meta(&h.Meta)
}

func (p *Packer) details(d *ShareholdingDetails) {
	p.Text(&d.ShareholderName)
	p.Text(&d.Certificate)
	List(p, &d.Legends, func(id *LegendID) { p.UUID((*[16]byte)(id)) })
	Optional(p, &d.PricePerShare, func(price *Price) {
		p.Decimal(&price.Amount)
		p.Text(&price.Currency)
	})
	Optional(p, &d.Consideration, func(c *Consideration) {
		for _, part := range []*Decimal{&c.Cash, &c.DebtCancelled, &c.IP, &c.Services, &c.Other} {
			p.Decimal(part)
		}
	})
	p.Text(&d.IssuanceType)
	p.Text(&d.VestingSchedule)
	p.Date(&d.VestingStart)
	p.Date(&d.BoardApprovalDate)
	p.Date(&d.Rule144Date)
	p.Text(&d.Block)
	p.Text(&d.ExternalID)
	List(p, &d.Comments, p.Text)
}

// Meta packs what every record carries.
func (p *Packer) Meta(m *Meta) {
	p.Instant(&m.CreatedAt)
	p.Instant(&m.UpdatedAt)
	p.Uint(&m.Version)
}
