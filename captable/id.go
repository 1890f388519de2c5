package captable

import (
	"encoding/hex"
	"errors"
)

// ID identifies one thing of the kind Of by a UUID (version 7 where we make it,
// any version where it was given). Two kinds never mix: an ID[Security] is not
// an ID[Legend]. The zero ID stands for none.
type ID[Of any] [16]byte

// Entity is whoever can hold equity: a person or an institution. It is only ever
// referred to by its id.
type Entity struct{}

// The identifiers of the cap table.
type (
	// EntityID names a holder.
	EntityID = ID[Entity]
	// SecurityID names a stock or unit class.
	SecurityID = ID[Security]
	// ShareholdingID names one certificate.
	ShareholdingID = ID[Shareholding]
	// LegendID names a legend.
	LegendID = ID[Legend]
	// ValuationID names a valuation.
	ValuationID = ID[Valuation]
	// CapitalChangeID names money that was put in or taken out.
	CapitalChangeID = ID[CapitalChange]
	// BlockID names a funding round.
	BlockID = ID[Block]
	// PlanID names an incentive plan.
	PlanID = ID[Plan]
	// VestingScheduleID names a vesting schedule.
	VestingScheduleID = ID[VestingSchedule]
	// GrantID names a grant.
	GrantID = ID[Grant]
	// RequestID names a request to exercise.
	RequestID = ID[ExerciseRequest]
	// PoolID names a pool of a plan.
	PoolID = ID[Pool]
	// InstrumentID names a convertible or a warrant.
	InstrumentID = ID[Instrument]
)

var errBadID = errors.New("not a UUID of the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")

// ParseID reads the 36 characters of a UUID, in either case.
func ParseID[Of any](text string) (ID[Of], error) {
	var id ID[Of]
	err := id.UnmarshalText([]byte(text))
	return id, err
}

// String gives the 36 lower-case characters of the UUID.
func (id ID[Of]) String() string {
	text := id.characters()
	return string(text[:])
}

// IsZero reports whether the id names nothing.
func (id ID[Of]) IsZero() bool { return id == ID[Of]{} }

// MarshalText gives the 36 lower-case characters of the UUID; none for the zero ID.
func (id ID[Of]) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return []byte{}, nil
	}
	text := id.characters()
	return text[:], nil
}

// UnmarshalText reads the 36 characters of a UUID; an empty text is the zero ID.
func (id *ID[Of]) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*id = ID[Of]{}
		return nil
	}
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return errBadID
	}
	var digits [32]byte
	copy(digits[0:8], text[0:8])
	copy(digits[8:12], text[9:13])
	copy(digits[12:16], text[14:18])
	copy(digits[16:20], text[19:23])
	copy(digits[20:32], text[24:36])
	var read ID[Of] // digit by digit: what is half read stays out of the id
	if _, err := hex.Decode(read[:], digits[:]); err != nil {
		return errBadID
	}
	*id = read
	return nil
}

func (id ID[Of]) characters() (text [36]byte) {
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return text
}
