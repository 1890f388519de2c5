package ocf

import (
	"encoding/json"
	"regexp"
	"strings"

	"equity/captable"
)

// Issuer is the company of a package in the terms of the cap table. Every field except ID and
// Raw may be empty.
type Issuer struct {
	ID            string
	LegalName     string
	FormationDate captable.Date
	// Jurisdiction is the ISO 3166-1 country of formation, optionally followed by a dash and
	// the subdivision: US-DE.
	Jurisdiction string
	TaxID        string
	Email        string
	Phone        string
	Address      Address
	// Currency applies to amounts without a currency. An import leaves it empty.
	Currency string
	// Raw is the imported object; nil for a company without an import.
	Raw json.RawMessage
}

// Address is a postal address. Street may have several lines.
type Address struct {
	Street, City, Subdivision, Country, PostalCode string
}

// issuer parses the issuer in the manifest.
func (r *reader) issuer(f *file, raw json.RawMessage) {
	o := &Object{Type: typeIssuer, File: fileManifest, Raw: raw, path: f.path}
	values, ok := decodeValues(raw)
	if !ok {
		r.findings.add(
			Finding{Severity: Refuse, File: f.path, Pointer: "/issuer", Code: codeRequired, Message: "The manifest must name an issuer."},
		)
		return
	}
	o.values = values
	o.ID = o.text("id")
	r.checkFields(o, kind{
		required: []string{"id", "legal_name"}, expected: []string{"object_type", "formation_date", "country_of_formation"},
		fields: issuerFields(),
	})
	r.pack.Issuer = Issuer{
		ID: o.ID, LegalName: o.text("legal_name"), FormationDate: o.date("formation_date"),
		Jurisdiction: o.text("country_of_formation"), Raw: raw,
	}
	if subdivision := o.text("country_subdivision_of_formation"); subdivision != "" && r.pack.Issuer.Jurisdiction != "" {
		r.pack.Issuer.Jurisdiction += "-" + subdivision
	}
	r.pack.Issuer.reach(o)
	r.issuerLimit = statedLimit(o.text("initial_shares_authorized"))
}

func issuerFields() map[string]bool {
	fields := map[string]bool{}
	for name := range strings.FieldsSeq(`id object_type comments legal_name dba formation_date country_of_formation
		country_subdivision_of_formation country_subdivision_name_of_formation tax_ids email phone address
		initial_shares_authorized`) {
		fields[name] = true
	}
	return fields
}

// reach parses the tax id and contact data of the issuer.
func (i *Issuer) reach(o *Object) {
	if list, _ := o.value("tax_ids").([]any); len(list) > 0 {
		i.TaxID = textIn(list[0], "tax_id")
	}
	i.Email = textIn(o.value("email"), "email_address")
	i.Phone = textIn(o.value("phone"), "phone_number")
	address := o.value("address")
	i.Address = Address{
		Street: textIn(address, "street_suite"), City: textIn(address, "city"),
		Subdivision: textIn(address, "country_subdivision"), Country: textIn(address, "country"),
		PostalCode: textIn(address, "postal_code"),
	}
}

// textIn returns a string field of a nested object, or an empty string.
func textIn(object any, name string) string {
	inner, _ := object.(map[string]any)
	text, _ := inner[name].(string)
	return text
}

// Currency returns the most frequent currency of the share prices. If several are equally
// frequent, it returns the alphabetically first. Returns USD for a package without prices.
func (p *Package) Currency() string {
	best, most := "USD", 0
	for currency, count := range p.currencies {
		if count > most || count == most && currency < best {
			best, most = currency, count
		}
	}
	return best
}

// The issuer object of the format.
type (
	issuerObject struct {
		ID              string         `json:"id"`
		Type            string         `json:"object_type"`
		LegalName       string         `json:"legal_name"`
		FormationDate   captable.Date  `json:"formation_date"`
		Country         string         `json:"country_of_formation"`
		Subdivision     string         `json:"country_subdivision_of_formation,omitempty"`
		SubdivisionName string         `json:"country_subdivision_name_of_formation,omitempty"`
		TaxIDs          []taxObject    `json:"tax_ids,omitempty"`
		Email           *emailObject   `json:"email,omitempty"`
		Phone           *phoneObject   `json:"phone,omitempty"`
		Address         *addressObject `json:"address,omitempty"`
	}
	taxObject struct {
		ID      string `json:"tax_id"`
		Country string `json:"country"`
	}
	emailObject struct {
		Type    string `json:"email_type"`
		Address string `json:"email_address"`
	}
	phoneObject struct {
		Type   string `json:"phone_type"`
		Number string `json:"phone_number"`
	}
	addressObject struct {
		Type        string `json:"address_type"`
		Street      string `json:"street_suite,omitempty"`
		City        string `json:"city,omitempty"`
		Subdivision string `json:"country_subdivision,omitempty"`
		Country     string `json:"country"`
		PostalCode  string `json:"postal_code,omitempty"`
	}
)

// nowhere is a user-assigned ISO 3166-1 country code. It replaces an unknown country, which
// the format requires.
const nowhere = "ZZ"

// object converts the issuer. Missing required fields get recognizable placeholders: the
// country ZZ and the given formation date.
func (i *Issuer) object(formed captable.Date) issuerObject {
	object := issuerObject{
		ID: i.ID, Type: typeIssuer, LegalName: i.LegalName, FormationDate: i.FormationDate, Country: i.Address.Country,
	}
	if object.FormationDate.IsZero() {
		object.FormationDate = formed
	}
	code := regexp.MustCompile(`^[A-Z]{2}$`)
	country, subdivision, _ := strings.Cut(i.Jurisdiction, "-")
	switch {
	case code.MatchString(country):
		object.Country, object.Subdivision = country, subdivision
	case i.Jurisdiction != "":
		object.SubdivisionName = i.Jurisdiction
	}
	if !code.MatchString(object.Country) {
		object.Country = nowhere
	}
	if !regexp.MustCompile(`^[A-Z0-9]{1,3}$`).MatchString(object.Subdivision) {
		object.Subdivision = ""
	}
	if i.TaxID != "" {
		object.TaxIDs = []taxObject{{i.TaxID, object.Country}}
	}
	if i.Email != "" {
		object.Email = &emailObject{"BUSINESS", i.Email}
	}
	// The format allows only one spelling of phone numbers.
	if regexp.MustCompile(`^\+\d{1,3}\s\d{2,3}\s\d{2,3}\s\d{4}(\s(ext.|extension)\s\d+)?$`).MatchString(i.Phone) {
		object.Phone = &phoneObject{"BUSINESS", i.Phone}
	}
	if a := i.Address; code.MatchString(a.Country) {
		object.Address = &addressObject{"LEGAL", a.Street, a.City, "", a.Country, a.PostalCode}
		if regexp.MustCompile(`^[A-Z0-9]+$`).MatchString(a.Subdivision) {
			object.Address.Subdivision = a.Subdivision
		}
	}
	return object
}
