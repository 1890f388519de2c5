package conversion

// Fault is one term that cannot be computed with.
type Fault struct {
	// Pointer is the JSON pointer to it from the value that was checked: /rates/1/from.
	Pointer string
	// Code is stable, such as overlappingRates or notBelowOne.
	Code string
	// Message is a sentence for people.
	Message string
}

type faults []Fault

func (f *faults) add(pointer, code, message string) { *f = append(*f, Fault{pointer, code, message}) }

// within adds the faults of a part, which begins at the pointer.
func (f *faults) within(pointer string, part []Fault) {
	for _, fault := range part {
		f.add(pointer+fault.Pointer, fault.Code, fault.Message)
	}
}
