package vesting

import "strings"

// Fault is an error in the input of a computation.
type Fault struct {
	// Pointer is a JSON pointer relative to the checked value, such as /conditions/2/next/0.
	Pointer string
	// Code is stable, such as cyclic, unknownCondition or badFraction.
	Code string
	// Message is a readable sentence.
	Message string
}

// Faults are all faults of a value. As an error they are one sentence each.
type Faults []Fault //nolint:recvcheck,errname // add grows the list, the rest only reads it; captable calls such lists so too

// Error returns the messages with their pointers.
func (f Faults) Error() string {
	parts := make([]string, 0, len(f))
	for _, fault := range f {
		parts = append(parts, strings.TrimPrefix(fault.Pointer+": ", ": ")+fault.Message)
	}
	return strings.Join(parts, "; ")
}

// Err returns nil if there are no faults.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

func (f *Faults) add(pointer, code, message string) { *f = append(*f, Fault{pointer, code, message}) }

// within adds the faults of the part at the pointer.
func (f *Faults) within(pointer string, part Faults) {
	for _, fault := range part {
		f.add(pointer+fault.Pointer, fault.Code, fault.Message)
	}
}
