// Package profile is what people say of themselves, beside what organizations keep of them. It is personal, and lies where it can be erased.
//
// The package is pure.
package profile

import (
	"strings"

	"equity/captable"
	"equity/organization"
)

// Particulars are what a profile says. Nothing of it is required.
type Particulars struct {
	FullName    string        `json:"fullName,omitempty"`
	Email       string        `json:"email,omitempty"`
	DateOfBirth captable.Date `json:"dateOfBirth,omitzero"`
	Phone       string        `json:"phone,omitempty"`
	Website     string        `json:"website,omitempty"`
	// Links are addresses of pages by the name of the service, such as linkedin.
	Links map[string]string `json:"links,omitempty"`
	// Photo is the id of a file.
	Photo       string               `json:"photo,omitempty"`
	HomeAddress organization.Address `json:"homeAddress,omitzero"`
}

// mostLinks is how many links a profile may have.
const mostLinks = 20

// Faults lists what is wrong, on the given day.
func (p *Particulars) Faults(today captable.Date) captable.Faults {
	var faults captable.Faults
	if p.DateOfBirth > today {
		faults.Add("/dateOfBirth", "inFuture", "The day has not come yet.")
	}
	if p.Website != "" && !isPage(p.Website) {
		faults.Add("/website", "invalidWebsite", "Write the address of a page, such as https://example.com.")
	}
	if len(p.Links) > mostLinks {
		faults.Add("/links", "tooMany", "A profile has at most 20 links.")
	}
	for name, link := range p.Links {
		if !isPage(link) {
			faults.Add("/links/"+name, "invalidWebsite", "Write the address of a page, such as https://example.com.")
		}
	}
	return faults
}

// isPage tells whether a text is the address of a page: nothing that a browser would run.
func isPage(text string) bool {
	scheme, rest, found := strings.Cut(text, "://")
	plain := !strings.ContainsAny(text, " \t\r\n\"<>\\")
	return found && plain && (scheme == "https" || scheme == "http") && strings.TrimLeft(rest, "/?#:@") == rest && rest != ""
}

// Public is what somebody sees who may see that the person is there, no more.
func (p *Particulars) Public() Particulars {
	return Particulars{FullName: p.FullName, Email: p.Email, Website: p.Website, Links: p.Links, Photo: p.Photo}
}
