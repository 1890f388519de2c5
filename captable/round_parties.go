package captable

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// investors returns the parties that invest new money.
func (t *RoundTerms) investors(faults *Faults, m Moment) []party {
	var found []party
	for i, investment := range t.NewMoney {
		investor, at := investment.Investor, "/newMoney/"+strconv.Itoa(i)+"/investor"
		if investor.Member.IsZero() && investor.Entity.IsZero() {
			if strings.TrimSpace(investor.Name) == "" {
				faults.Add(at, "required", "An investor is named by member, entity or name.")
			}
			found = append(found, party{name: investor.Name})
			continue
		}
		found = append(found, investor.party(faults, at, m))
	}
	return found
}

// holders returns the holders who use a pro rata right.
func (t *RoundTerms) holders(faults *Faults, m Moment) []party {
	var found []party
	for i, ref := range t.ProRata {
		at := "/proRata/" + strconv.Itoa(i)
		one := ref.party(faults, at, m)
		if slices.Contains(found, one) && !one.entity.IsZero() {
			faults.Add(at, "twice", "The holder is named twice.")
			continue
		}
		found = append(found, one)
	}
	return found
}

// party returns the holder, or adds faults below the pointer.
func (r HolderRef) party(faults *Faults, pointer string, m Moment) party {
	var own Faults
	holder := r.checkHolder(&own, m)
	for _, fault := range own {
		faults.Add(pointer+fault.Pointer, fault.Code, fault.Message)
	}
	return party{entity: holder.Entity, name: holder.Name}
}

// converting returns the converting instruments in the order of their issue.
func (r *instrumentRegister) converting(t RoundTerms, faults *Faults, m Moment) []*Instrument {
	var found []*Instrument
	if t.Convertibles == nil {
		found = r.convertibles(t.Date)
	}
	for n, election := range t.Convertibles {
		at := "/convertibles/" + strconv.Itoa(n) + "/holding"
		i, known := r.records.Get(election.Holding)
		switch {
		case !known:
			faults.Add(at, "unknownReference", "There is no such holding.")
		case !i.IsConvertible() || !i.Status.Outstanding() || i.IssueDate > t.Date:
			faults.Add(at, "notOutstanding", "It is no convertible that is outstanding on the day of the round.")
		case slices.Contains(found, i):
			faults.Add(at, "twice", "The holding is named twice.")
		default:
			found = append(found, i)
		}
	}
	for n, i := range found {
		found[n] = i.InSharesOf(t.Date)
		if i.Principal.Currency != m.Currency {
			faults.Add("/convertibles/"+strconv.Itoa(n), "otherCurrency", "The holding "+i.ID.String()+" is in "+i.Principal.Currency+", the round in "+m.Currency+".")
		}
	}
	slices.SortStableFunc(found, func(a, b *Instrument) int {
		return cmp.Or(cmp.Compare(a.IssueDate, b.IssueDate), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return found
}
