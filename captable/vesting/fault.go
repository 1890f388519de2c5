package vesting

import "strings"

// Fault is one thing that cannot be computed with.
type Fault struct {
	// Pointer is the JSON pointer to it from the value that was checked: /conditions/2/next/0.
	Pointer string
	// Code is stable, such as cyclic, unknownCondition or badFraction.
	Code string
	// Message is a sentence for people.
	Message string
}

// Faults are all that is wrong with a value; as an error they are one sentence each.
type Faults []Fault //nolint:recvcheck,errname // add grows the list, the rest only reads it; captable calls such lists so too

// Error gives the messages, each behind its pointer.
func (f Faults) Error() string {
	parts := make([]string, 0, len(f))
	for _, fault := range f {
		parts = append(parts, strings.TrimPrefix(fault.Pointer+": ", ": ")+fault.Message)
	}
	return strings.Join(parts, "; ")
}

// Err gives nil when nothing is wrong.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

func (f *Faults) add(pointer, code, message string) { *f = append(*f, Fault{pointer, code, message}) }

// within adds the faults of a part, which begins at the pointer.
func (f *Faults) within(pointer string, part Faults) {
	for _, fault := range part {
		f.add(pointer+fault.Pointer, fault.Code, fault.Message)
	}
}
