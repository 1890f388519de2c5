// Package profile defines the personal profile of a user. Profiles are personal data: they are kept outside the journals of organizations,
// so that they can be erased.
//
// The package is pure.
package profile

import (
	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// Particulars is the content of a profile. All fields are optional.
type Particulars struct {
	FullName    string        `json:"fullName,omitempty"`
	Email       string        `json:"email,omitempty"`
	DateOfBirth captable.Date `json:"dateOfBirth,omitzero"`
	Phone       string        `json:"phone,omitempty"`
	Website     string        `json:"website,omitempty"`
	// Links maps the name of a service, such as linkedin, to the address of a page.
	Links map[string]string `json:"links,omitempty"`
	// Photo is the id of a file.
	Photo       string               `json:"photo,omitempty"`
	HomeAddress organization.Address `json:"homeAddress,omitzero"`
}

// maxLinks bounds the number of links of a profile.
const maxLinks = 20

// Faults lists the invalid fields. A date of birth after today is invalid.
func (p *Particulars) Faults(today captable.Date) fault.Fields {
	var faults fault.Fields
	if p.DateOfBirth > today {
		faults.Add("/dateOfBirth", "inFuture", "The date must not be in the future.")
	}
	if len(p.Links) > maxLinks {
		faults.Add("/links", "tooMany", "A profile has at most 20 links.")
	}
	return faults
}

// Public returns the fields that are visible to users without the permission to read private fields.
func (p *Particulars) Public() Particulars {
	return Particulars{FullName: p.FullName, Email: p.Email, Website: p.Website, Links: p.Links, Photo: p.Photo}
}
