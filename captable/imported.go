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

// ObjectCarried records an object that the domain does not interpret. It is kept unchanged, so
// that an export after an import is complete.
type ObjectCarried struct {
	Source Source `json:"source"`
}

func (PackageImported) apply(*State, Stamp) {}

func (ObjectCarried) apply(s *State, _ Stamp) { s.carried++ }

// Carried returns the number of uninterpreted objects of imported packages.
func (s *State) Carried() int { return s.carried }
