package ocf

import (
	"encoding/json"
	"regexp"
	"strings"

	"equity/captable"
)

// Issuer is the company that a package is about, in our terms. Every field but ID
// and Raw may be empty.
type Issuer struct {
	ID            string
	LegalName     string
	FormationDate captable.Date
	// Jurisdiction is the country of formation, ISO 3166-1, and behind a dash its
	// subdivision where there is one: US-DE.
	Jurisdiction string
	TaxID        string
	Email        string
	Phone        string
	Address      Address
	// Currency is that of plain amounts; an import does not know it.
	Currency string
	// Raw is the object as it came; nil for a company born here.
	Raw json.RawMessage
}

// Address is a postal address. Street has a line for each line of it.
type Address struct {
	Street, City, Subdivision, Country, PostalCode string
}

// issuer reads the issuer out of the manifest.
func (r *reader) issuer(f *file, raw json.RawMessage) {
	o := &Object{Type: typeIssuer, File: fileManifest, Raw: raw, path: f.path}
	values, ok := decodeValues(raw)
	if !ok {
		r.findings.add(Finding{Severity: Refuse, File: f.path, Pointer: "/issuer", Code: codeRequired, Message: "The manifest names no issuer."})
		return
	}
	o.values = values
	o.ID = o.text("id")
	r.checkFields(o, kind{required: []string{"id", "legal_name"}, expected: []string{"object_type", "formation_date", "country_of_formation"}, fields: issuerFields()})
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

// reach reads how the issuer can be reached.
func (i *Issuer) reach(o *Object) {
	if list, _ := o.values["tax_ids"].([]any); len(list) > 0 {
		i.TaxID = textIn(list[0], "tax_id")
	}
	i.Email = textIn(o.values["email"], "email_address")
	i.Phone = textIn(o.values["phone"], "phone_number")
	address := o.values["address"]
	i.Address = Address{
		Street: textIn(address, "street_suite"), City: textIn(address, "city"),
		Subdivision: textIn(address, "country_subdivision"), Country: textIn(address, "country"),
		PostalCode: textIn(address, "postal_code"),
	}
}

// textIn gives a text field of an inner object, or nothing.
func textIn(object any, name string) string {
	inner, _ := object.(map[string]any)
	text, _ := inner[name].(string)
	return text
}

// Currency is the currency that most prices of issuances are in, the first of the
// alphabet when several are; USD in a package without prices.
func (p *Package) Currency() string {
	best, most := "USD", 0
	for currency, count := range p.currencies {
		if count > most || count == most && currency < best {
			best, most = currency, count
		}
	}
	return best
}

// The issuer as the format writes it.
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

// nowhere is the country code that ISO 3166-1 leaves to its users: where no country
// is known the format still demands one.
const nowhere = "ZZ"

// object writes the issuer. What the format demands and nobody told is made up so
// that it can be recognized: the country ZZ, and the given date of formation.
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
	// The format knows phone numbers in one spelling only.
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
