package captable

import (
	"slices"
	"strconv"
	"strings"

	"equity/fault"
)

// OperatingAgreement is the operating agreement of a company and its predecessor.
type OperatingAgreement struct {
	File     string `json:"file,omitempty"`
	Date     Date   `json:"date,omitzero"`
	Previous string `json:"previous,omitempty"`
}

// Configuration contains the settings of an organization for the terms and the printing of its
// equity.
type Configuration struct {
	// EquityName is shares or units.
	EquityName string `json:"equityName"`
	// Fractional is the default of new securities.
	Fractional bool `json:"fractional"`
	// CertificateSignatories sign certificates. There are at most four.
	CertificateSignatories []Signatory `json:"certificateSignatories"`
	// Numbering is perSecurity: certificates are numbered separately for each security.
	Numbering          string              `json:"numbering"`
	OperatingAgreement *OperatingAgreement `json:"operatingAgreement,omitempty"`
	CapitalAccounts    bool                `json:"capitalAccounts"`
}

// Signatory is a person that signs certificates.
type Signatory struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Configure replaces the configuration.
type Configure struct {
	Configuration
}

// ConfigurationChanged records the new configuration.
type ConfigurationChanged struct {
	Configuration
}

// EventType returns the name of the event in the journal.
func (ConfigurationChanged) EventType() string { return "configurationChanged" }

// Creates returns nil: the event creates no record.
func (ConfigurationChanged) Creates() []Created { return nil }

// Records returns the configuration.
func (ConfigurationChanged) Records(s *State) []any { return []any{s.configuration} }

// NewConfiguration returns the initial configuration of an organization.
func NewConfiguration() Configuration {
	return Configuration{EquityName: "shares", Numbering: "perSecurity", CertificateSignatories: []Signatory{}}
}

const mostSignatories = 4

func (c Configure) decide(_ *State, _ DecideContext) ([]Event, error) {
	if c.CertificateSignatories == nil {
		c.CertificateSignatories = []Signatory{} // encoded as an empty list instead of null
	}
	var faults fault.Fields
	if !slices.Contains([]string{"shares", "units"}, c.EquityName) {
		faults.Add("/equityName", "enum", "The name of the equity must be shares or units.")
	}
	if c.Numbering != "perSecurity" {
		faults.Add("/numbering", "enum", "The numbering of certificates must be perSecurity.")
	}
	if len(c.CertificateSignatories) > mostSignatories {
		faults.Add("/certificateSignatories", "tooMany", "At most "+strconv.Itoa(mostSignatories)+" people can sign a certificate.")
	}
	for i, signatory := range c.CertificateSignatories {
		pointer := "/certificateSignatories/" + strconv.Itoa(i)
		if strings.TrimSpace(signatory.Name) == "" {
			faults.Add(pointer+"/name", "required", "The name of the signatory is required.")
		}
		if strings.TrimSpace(signatory.Title) == "" {
			faults.Add(pointer+"/title", "required", "The title of the signatory is required.")
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{ConfigurationChanged(c)}, nil
}

func (e ConfigurationChanged) apply(s *State, stamp Stamp) {
	s.configuration, s.configured = e.Configuration, stamp.Sequence
}
