package captable

import "encoding/json"

// PackageImported records the import of an Open Cap Format package. The following events of the
// same append are its content.
type PackageImported struct {
	// Version is the format version stated by the package.
	Version string `json:"version"`
	// Manifest is the manifest of the package without its issuer and file lists.
	Manifest json.RawMessage `json:"manifest"`
	// Issuer is the unchanged issuer object of the package.
	Issuer json.RawMessage `json:"issuer"`
	// Objects is the number of objects in the package.
	Objects int `json:"objects"`
}

// EventType returns the name of the event in the journal.
func (PackageImported) EventType() string { return "packageImported" }

// Creates returns nil: the event creates no record.
func (PackageImported) Creates() []Created { return nil }

// Records returns nil: the import itself is not a record.
func (PackageImported) Records(*State) []any { return nil }

// ObjectCarried records an object that the domain does not interpret. It is kept unchanged, so
// that an export after an import is complete.
type ObjectCarried struct {
	Source Source `json:"source"`
}

// EventType returns the name of the event in the journal.
func (ObjectCarried) EventType() string { return "objectCarried" }

// Creates returns nil: the event creates no record.
func (ObjectCarried) Creates() []Created { return nil }

// Records returns nil: a carried object is not a record of the cap table.
func (ObjectCarried) Records(*State) []any { return nil }

func (PackageImported) apply(*State, Stamp) {}

func (ObjectCarried) apply(s *State, _ Stamp) { s.carried++ }

// Carried returns the number of uninterpreted objects of imported packages.
func (s *State) Carried() int { return s.carried }
