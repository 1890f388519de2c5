package captable

import (
	"slices"
	"strconv"
	"strings"
)

// OperatingAgreement is a company's agreement and the one it replaced.
type OperatingAgreement struct {
	File     string `json:"file,omitempty"`
	Date     Date   `json:"date,omitzero"`
	Previous string `json:"previous,omitempty"`
}

// Configuration is how an organization speaks of its equity and prints it.
type Configuration struct {
	// EquityName is shares or units.
	EquityName string `json:"equityName"`
	// Fractional is what a new security allows by default.
	Fractional bool `json:"fractional"`
	// CertificateSignatories sign certificates, at most four.
	CertificateSignatories []Signatory `json:"certificateSignatories"`
	// Numbering is perSecurity: each security counts its own certificates.
	Numbering          string              `json:"numbering"`
	OperatingAgreement *OperatingAgreement `json:"operatingAgreement,omitempty"`
	CapitalAccounts    bool                `json:"capitalAccounts"`
}

// Signatory signs certificates.
type Signatory struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// Configure asks for another configuration.
type Configure struct {
	Configuration
}

// ConfigurationChanged records the configuration as it is now.
type ConfigurationChanged struct {
	Configuration
}

// NewConfiguration is what an organization begins with.
func NewConfiguration() Configuration {
	return Configuration{EquityName: "shares", Numbering: "perSecurity", CertificateSignatories: []Signatory{}}
}

const mostSignatories = 4

func (c Configure) decide(_ *State, _ Moment) ([]Event, error) {
	if c.CertificateSignatories == nil {
		c.CertificateSignatories = []Signatory{} // an answer has a list, not null
	}
	var faults Faults
	if !slices.Contains([]string{"shares", "units"}, c.EquityName) {
		faults.Add("/equityName", "enum", "The equity is called shares or units.")
	}
	if c.Numbering != "perSecurity" {
		faults.Add("/numbering", "enum", "Certificates are numbered perSecurity.")
	}
	if len(c.CertificateSignatories) > mostSignatories {
		faults.Add("/certificateSignatories", "tooMany", "At most four people sign a certificate.")
	}
	for i, signatory := range c.CertificateSignatories {
		pointer := "/certificateSignatories/" + strconv.Itoa(i)
		if strings.TrimSpace(signatory.Name) == "" {
			faults.Add(pointer+"/name", "required", "A signatory has a name.")
		}
		if strings.TrimSpace(signatory.Title) == "" {
			faults.Add(pointer+"/title", "required", "A signatory signs in an office.")
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
