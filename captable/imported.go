package captable

import "encoding/json"

// PackageImported records that a package of the Open Cap Format was taken in; the
// events after it, in the same append, are what it held.
type PackageImported struct {
	// Version is the format's version as the package states it.
	Version string `json:"version"`
	// Manifest is the package's manifest without its issuer and file lists.
	Manifest json.RawMessage `json:"manifest"`
	// Issuer is the company that the package was about, as it came.
	Issuer json.RawMessage `json:"issuer"`
	// Objects is how many objects the package had.
	Objects int `json:"objects"`
}

// ObjectCarried records an object of a kind that the domain does not know yet: it
// is kept as it came, so that nothing is lost between import and export.
type ObjectCarried struct {
	Source Source `json:"source"`
}

func (PackageImported) apply(*State, Stamp) {}

func (ObjectCarried) apply(s *State, _ Stamp) { s.carried++ }

// Carried is how many objects of imported packages are kept as they came.
func (s *State) Carried() int { return s.carried }
