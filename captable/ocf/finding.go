package ocf

import (
	"slices"
	"strings"

	"equity/fault"
)

// Severity is the effect of a finding on an import.
type Severity string

// The severities. One refusing finding refuses the whole package.
const (
	Refuse Severity = "refuse"
	Warn   Severity = "warn"
)

// Finding is a problem or remark about a package. It concerns an object, or a file if it has
// no object.
type Finding struct {
	Severity   Severity `json:"severity"`
	ObjectType string   `json:"objectType,omitempty"`
	ObjectID   string   `json:"objectId,omitempty"`
	// File is the path within the package.
	File string `json:"file,omitempty"`
	// Pointer is a JSON pointer into the object or file; empty for all of it.
	Pointer string `json:"pointer,omitempty"`
	// Code is a stable identifier, such as danglingReference or insufficientShares.
	Code string `json:"code"`
	// Message is a human-readable sentence.
	Message string `json:"message"`
}

// Findings lists findings in order of discovery.
type Findings []Finding

// mostFindings bounds the findings of one package for each severity.
const mostFindings = 10_000

// FieldError converts the finding to an error of the API contract. Its pointer begins with
// the object's type and id, or with the file.
func (f Finding) FieldError() fault.Field {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	pointer := f.Pointer
	switch {
	case f.ObjectType != "" || f.ObjectID != "":
		pointer = "/" + escape.Replace(f.ObjectType) + "/" + escape.Replace(f.ObjectID) + f.Pointer
	case f.File != "":
		pointer = "/" + escape.Replace(f.File) + f.Pointer
	}
	return fault.Field{Pointer: pointer, Code: f.Code, Message: f.Message}
}

// Refused reports whether any finding refuses the package.
func (f Findings) Refused() bool {
	return slices.ContainsFunc(f, func(finding Finding) bool { return finding.Severity == Refuse })
}

// Refusals returns the refusing findings as errors of the API contract.
func (f Findings) Refusals() []fault.Field {
	var refusals []fault.Field
	for _, finding := range f {
		if finding.Severity == Refuse {
			refusals = append(refusals, finding.FieldError())
		}
	}
	return refusals
}

// notes collects findings.
type notes struct {
	all                Findings
	refusals, warnings int
}

// add records a finding. The first finding beyond the limit of its severity is replaced with
// a notice; later ones are dropped.
func (n *notes) add(finding Finding) {
	count := &n.warnings
	if finding.Severity == Refuse {
		count = &n.refusals
	}
	switch *count++; {
	case *count <= mostFindings:
		n.all = append(n.all, finding)
	case *count == mostFindings+1:
		n.all = append(n.all, Finding{Severity: finding.Severity, Code: codeTooMany, Message: "There are more findings than are listed."})
	}
}

// addSorted records the findings of one object in field order. The fields of an object are
// visited in random order.
func (n *notes) addSorted(found Findings) {
	slices.SortStableFunc(found, func(a, b Finding) int { return strings.Compare(a.Pointer, b.Pointer) })
	for _, finding := range found {
		n.add(finding)
	}
}

// file records a finding about a file of the package.
func (n *notes) file(severity Severity, path, code, message string) {
	n.add(Finding{Severity: severity, File: path, Code: code, Message: message})
}

// refuse records a refusing finding about an object and marks the object.
func (n *notes) refuse(o *Object, pointer, code, message string) {
	o.refused = true
	n.add(about(o, Refuse, pointer, code, message))
}

// warn records a warning about an object.
func (n *notes) warn(o *Object, pointer, code, message string) {
	n.add(about(o, Warn, pointer, code, message))
}

func about(o *Object, severity Severity, pointer, code, message string) Finding {
	return Finding{
		Severity: severity, ObjectType: o.Type, ObjectID: o.ID, File: o.path, Pointer: pointer, Code: code, Message: message,
	}
}
