package conversion

// Fault is an invalid term.
type Fault struct {
	// Pointer is a JSON pointer relative to the checked value, such as /rates/1/from.
	Pointer string
	// Code is stable, such as overlappingRates or notBelowOne.
	Code string
	// Message is a readable sentence.
	Message string
}

type faults []Fault

func (f *faults) add(pointer, code, message string) { *f = append(*f, Fault{pointer, code, message}) }

// within adds the faults of the part at the pointer.
func (f *faults) within(pointer string, part []Fault) {
	for _, fault := range part {
		f.add(pointer+fault.Pointer, fault.Code, fault.Message)
	}
}
