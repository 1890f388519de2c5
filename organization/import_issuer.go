package organization

import (
	"slices"
	"strings"

	"equity/captable/ocf"
)

// addressOf converts the address of an issuer. Its street has one line for each of our fields.
func addressOf(a ocf.Address) *Address {
	lines := append(strings.SplitN(a.Street, "\n", 3), "", "")
	return &Address{
		Street1: lines[0], Street2: lines[1], Street3: strings.ReplaceAll(lines[2], "\n", ", "),
		City: a.City, Province: a.Subdivision, PostalCode: a.PostalCode, Country: a.Country,
	}
}

// issuerOf returns the organization as an issuer.
func issuerOf(id ID, p Profile) ocf.Issuer {
	issuer := ocf.Issuer{
		ID: p.ExternalID, LegalName: p.PrintedName(), FormationDate: p.FormationDate, Jurisdiction: p.Jurisdiction,
		TaxID: p.TaxID, Phone: p.PhoneNumber, Currency: p.Currency,
	}
	if issuer.ID == "" {
		issuer.ID = id.String()
	}
	if a := p.Address; a != nil {
		street := slices.DeleteFunc([]string{a.Street1, a.Street2, a.Street3}, func(line string) bool { return line == "" })
		issuer.Address = ocf.Address{
			Street: strings.Join(street, "\n"), City: a.City, Subdivision: a.Province, Country: a.Country, PostalCode: a.PostalCode,
		}
	}
	return issuer
}
