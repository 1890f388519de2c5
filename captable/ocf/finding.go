package ocf

import (
	"slices"
	"strings"

	"equity/captable"
)

// Severity says what a finding does to an import.
type Severity string

// The severities: one refusing finding refuses the whole package.
const (
	Refuse Severity = "refuse"
	Warn   Severity = "warn"
)

// Finding is one thing about a package that somebody should know. It concerns an
// object, or a file when it has no object.
type Finding struct {
	Severity   Severity `json:"severity"`
	ObjectType string   `json:"objectType,omitempty"`
	ObjectID   string   `json:"objectId,omitempty"`
	// File is the path within the package.
	File string `json:"file,omitempty"`
	// Pointer is the JSON pointer into the object, or into the file; empty for all of it.
	Pointer string `json:"pointer,omitempty"`
	// Code is stable, such as danglingReference or insufficientShares.
	Code string `json:"code"`
	// Message is a sentence for people.
	Message string `json:"message"`
}

// Findings are in the order in which they were found.
type Findings []Finding

// mostFindings bounds what one package may make us say, of each severity.
const mostFindings = 10_000

// FieldError gives the finding as an error of the contract: the pointer begins with
// the object's type and id, or with the file.
func (f Finding) FieldError() captable.FieldError {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	pointer := f.Pointer
	switch {
	case f.ObjectType != "" || f.ObjectID != "":
		pointer = "/" + escape.Replace(f.ObjectType) + "/" + escape.Replace(f.ObjectID) + f.Pointer
	case f.File != "":
		pointer = "/" + escape.Replace(f.File) + f.Pointer
	}
	return captable.FieldError{Pointer: pointer, Code: f.Code, Message: f.Message}
}

// Refused reports whether any of the findings refuses the package.
func (f Findings) Refused() bool {
	return slices.ContainsFunc(f, func(finding Finding) bool { return finding.Severity == Refuse })
}

// Refusals gives the refusing findings as errors of the contract.
func (f Findings) Refusals() []captable.FieldError {
	var refusals []captable.FieldError
	for _, finding := range f {
		if finding.Severity == Refuse {
			refusals = append(refusals, finding.FieldError())
		}
	}
	return refusals
}

// notes gathers findings.
type notes struct {
	all                Findings
	refusals, warnings int
}

// add notes a finding; past the bound of its severity it only says once that there
// are more.
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

// addSorted notes findings about one object in the order of its fields: objects are
// looked through in no order.
func (n *notes) addSorted(found Findings) {
	slices.SortStableFunc(found, func(a, b Finding) int { return strings.Compare(a.Pointer, b.Pointer) })
	for _, finding := range found {
		n.add(finding)
	}
}

// file notes something about a file of the package.
func (n *notes) file(severity Severity, path, code, message string) {
	n.add(Finding{Severity: severity, File: path, Code: code, Message: message})
}

// refuse notes what refuses the package because of an object, and marks the object.
func (n *notes) refuse(o *Object, pointer, code, message string) {
	o.refused = true
	n.add(about(o, Refuse, pointer, code, message))
}

// warn notes what does no harm about an object.
func (n *notes) warn(o *Object, pointer, code, message string) {
	n.add(about(o, Warn, pointer, code, message))
}

func about(o *Object, severity Severity, pointer, code, message string) Finding {
	return Finding{
		Severity: severity, ObjectType: o.Type, ObjectID: o.ID, File: o.path, Pointer: pointer, Code: code, Message: message,
	}
}
