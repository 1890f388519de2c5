package captable

import (
	"encoding/hex"
	"errors"
)

// ID identifies a record of the kind Of by a UUID. Generated ids have version 7; ids from outside
// may have any version. Ids of different kinds are different types: an ID[Security] is not an
// ID[Legend]. The zero ID means no record.
type ID[Of any] [16]byte

// Entity is the kind of holder ids. A holder is a person or an institution and is referenced only
// by its id.
type Entity struct{}

// The identifiers of the cap table.
type (
	// EntityID identifies a holder.
	EntityID = ID[Entity]
	// SecurityID identifies a stock or unit class.
	SecurityID = ID[Security]
	// ShareholdingID identifies a shareholding, that is, one certificate.
	ShareholdingID = ID[Shareholding]
	// LegendID identifies a legend.
	LegendID = ID[Legend]
	// ValuationID identifies a valuation.
	ValuationID = ID[Valuation]
	// CapitalChangeID identifies a capital change.
	CapitalChangeID = ID[CapitalChange]
	// BlockID identifies a funding round.
	BlockID = ID[Block]
	// PlanID identifies an incentive plan.
	PlanID = ID[Plan]
	// VestingScheduleID identifies a vesting schedule.
	VestingScheduleID = ID[VestingSchedule]
	// GrantID identifies a grant.
	GrantID = ID[Grant]
	// RequestID identifies an exercise request.
	RequestID = ID[ExerciseRequest]
	// PoolID identifies a pool of a plan.
	PoolID = ID[Pool]
	// InstrumentID identifies a convertible or a warrant.
	InstrumentID = ID[Instrument]
)

var errBadID = errors.New("not a UUID of the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")

// ParseID parses the 36 characters of a UUID, in upper or lower case.
func ParseID[Of any](text string) (ID[Of], error) {
	var id ID[Of]
	err := id.UnmarshalText([]byte(text))
	return id, err
}

// String returns the UUID as 36 lower-case characters.
func (id ID[Of]) String() string {
	text := id.characters()
	return string(text[:])
}

// IsZero reports whether the id is the zero ID.
func (id ID[Of]) IsZero() bool { return id == ID[Of]{} }

// MarshalText returns the UUID as 36 lower-case characters. The zero ID is an empty text.
func (id ID[Of]) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return []byte{}, nil
	}
	text := id.characters()
	return text[:], nil
}

// UnmarshalText parses the 36 characters of a UUID. An empty text is the zero ID.
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
	var read ID[Of] // decode into a copy, so that an error leaves the id unchanged
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
