package sheet

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

//go:embed headings.json
var files embed.FS

// Field is a field of a kind of records that a column can hold.
type Field struct {
	// Name is the name of the column in the template.
	Name string
	Type Type
	// Fractional permits quantities that are not whole.
	Fractional bool
	// Headings are the known headings in normal form.
	Headings []string
}

// RecordKind is a kind of records that tables contain.
type RecordKind struct {
	Name   string
	Fields []Field
	// Required are the fields without which a row of texts is no heading of the kind.
	Required []string
	// Sheets are the names of sheets that suggest the kind, in normal form.
	Sheets []string
	// Quantity is the field whose sum a total row states; empty if there is none.
	Quantity string
}

// field returns a field of the kind, or nil.
func (k *RecordKind) field(name string) *Field {
	for i := range k.Fields {
		if k.Fields[i].Name == name {
			return &k.Fields[i]
		}
	}
	return nil
}

// Registry contains the kinds of records in the order of their precedence. It is immutable and safe for concurrent use.
type Registry struct {
	kinds []RecordKind
	// known maps a kind and a normal heading to the field.
	known map[string]map[string]string
	// headings are the known headings of all kinds, and quantities those of quantities.
	headings, quantities map[string]bool
}

// embedded is the form of headings.json.
type embedded struct {
	Kinds    map[string]map[string][]string `json:"kinds"`
	Required map[string][]string            `json:"required"`
	Sheets   map[string][]string            `json:"sheets"`
}

// NewRegistry returns a registry with the kinds of the product and those of rooms.
func NewRegistry(more ...RecordKind) (*Registry, error) {
	text, err := files.ReadFile("headings.json")
	if err != nil {
		return nil, err
	}
	var list embedded
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("read headings.json: %w", err)
	}
	r := &Registry{known: map[string]map[string]string{}, headings: map[string]bool{}, quantities: map[string]bool{}}
	for _, kind := range coreKinds() {
		if kind.Required = list.Required[kind.Name]; kind.Required == nil {
			return nil, fmt.Errorf("headings.json has no kind %s", kind.Name)
		}
		kind.Sheets = list.Sheets[kind.Name]
		for i := range kind.Fields {
			kind.Fields[i].Headings = list.Kinds[kind.Name][kind.Fields[i].Name]
		}
		r.add(kind)
	}
	for _, kind := range more {
		r.add(kind)
	}
	return r, nil
}

// add adds a kind. Its headings are brought into normal form.
func (r *Registry) add(kind RecordKind) {
	known := map[string]string{}
	for _, field := range kind.Fields {
		names := append([]string{field.Name}, field.Headings...)
		for _, name := range names {
			normal, _ := NormalHeading(name)
			if _, taken := known[normal]; !taken {
				known[normal] = field.Name
			}
			r.headings[normal] = true
			r.quantities[normal] = r.quantities[normal] || field.Type == Quantity
		}
	}
	for i, name := range kind.Sheets {
		kind.Sheets[i], _ = NormalHeading(name)
	}
	r.kinds, r.known[kind.Name] = append(r.kinds, kind), known
}

// Kind returns a kind by its name, or nil.
func (r *Registry) Kind(name string) *RecordKind {
	if at := slices.IndexFunc(r.kinds, func(k RecordKind) bool { return k.Name == name }); at >= 0 {
		return &r.kinds[at]
	}
	return nil
}

// fieldsOf returns fields of a type by their names.
func fieldsOf(as Type, names string) []Field {
	var all []Field
	for name := range strings.FieldsSeq(names) {
		all = append(all, Field{Name: name, Type: as})
	}
	return all
}

// coreKinds returns the kinds of the product, in the order of their precedence, with the types of their fields.
func coreKinds() []RecordKind {
	kind := func(name, quantity string, fields ...[]Field) RecordKind {
		return RecordKind{Name: name, Quantity: quantity, Fields: slices.Concat(fields...)}
	}
	return []RecordKind{
		kind("members", "",
			fieldsOf(Name, "fullName firstName lastName institution email kind relationship title"), fieldsOf(Identifier, "phone"),
			fieldsOf(Day, "startDate"),
			fieldsOf(Name, "street1 street2 city province"), fieldsOf(Identifier, "postalCode"), fieldsOf(Name, "country"),
			fieldsOf(Identifier, "taxId"),
			fieldsOf(Day, "dateOfBirth"), fieldsOf(Identifier, "externalId")),
		kind("securities", "authorizedShares",
			fieldsOf(Name, "name shareType prefix"), fieldsOf(Quantity, "authorizedShares"),
			fieldsOf(Price, "parValue price votesPerShare"),
			fieldsOf(Identifier, "seniority"), fieldsOf(Price, "liquidationPreferenceMultiple"), fieldsOf(Name, "participation"),
			fieldsOf(Price, "conversionRatio"),
			fieldsOf(Day, "boardApprovalDate"), fieldsOf(Identifier, "externalId")),
		kind("shareholdings", "shares",
			fieldsOf(Name, "holder email relationship security"), fieldsOf(Quantity, "shares"), fieldsOf(Day, "issueDate"),
			fieldsOf(Identifier, "certificate"),
			fieldsOf(Price, "pricePerShare"), fieldsOf(Quantity, "outstanding"), fieldsOf(Price, "cost"),
			fieldsOf(Name, "issuanceType vestingSchedule"),
			fieldsOf(Day, "vestingStart boardApprovalDate rule144Date"), fieldsOf(Identifier, "block"), fieldsOf(Name, "status ownership"),
			fieldsOf(Identifier, "externalId")),
		kind("transfers", "shares",
			fieldsOf(Name, "from to security"), fieldsOf(Quantity, "shares"), fieldsOf(Day, "date"),
			fieldsOf(Identifier, "certificate newCertificate"),
			fieldsOf(Price, "pricePerShare"), fieldsOf(Name, "kind"), fieldsOf(Identifier, "externalId")),
		kind("endings", "shares",
			fieldsOf(Identifier, "certificate"), fieldsOf(Name, "holder security"), fieldsOf(Quantity, "shares"), fieldsOf(Day, "date"),
			fieldsOf(Name, "kind"),
			fieldsOf(Price, "pricePerShare"), fieldsOf(Name, "reason"), fieldsOf(Truth, "toTreasury")),
		kind("options", "quantity",
			fieldsOf(Name, "holder email relationship plan pool type"), fieldsOf(Quantity, "quantity"), fieldsOf(Day, "issueDate"),
			fieldsOf(Price, "exercisePrice"),
			fieldsOf(Day, "expirationDate"), fieldsOf(Name, "vestingSchedule"), fieldsOf(Day, "vestingStart"),
			fieldsOf(Truth, "earlyExercise"),
			fieldsOf(Price, "marketValue"), fieldsOf(Day, "boardApprovalDate"), fieldsOf(Quantity, "exercised"),
			fieldsOf(Day, "exercisedDate"),
			fieldsOf(Quantity, "cancelled"), fieldsOf(Day, "cancelledDate"), fieldsOf(Quantity, "outstanding vested"),
			fieldsOf(Name, "status"),
			fieldsOf(Identifier, "block externalId")),
		kind("exercises", "quantity",
			fieldsOf(Identifier, "grant"), fieldsOf(Name, "holder"), fieldsOf(Quantity, "quantity"), fieldsOf(Day, "date"),
			fieldsOf(Name, "payment"),
			fieldsOf(Identifier, "certificate"), fieldsOf(Price, "marketValue")),
		kind("warrants", "quantity",
			fieldsOf(Name, "holder security"), fieldsOf(Quantity, "quantity"), fieldsOf(Price, "exercisePrice"),
			fieldsOf(Day, "issueDate expirationDate"),
			fieldsOf(Fraction, "coverage"), fieldsOf(Identifier, "externalId")),
		kind("convertibles", "principal",
			fieldsOf(Name, "holder kind"), fieldsOf(Price, "principal"), fieldsOf(Name, "currency"),
			fieldsOf(Day, "issueDate maturityDate"),
			fieldsOf(Fraction, "interestRate"), fieldsOf(Name, "dayCount compounding"), fieldsOf(Price, "valuationCap"),
			fieldsOf(Name, "capBasis"),
			fieldsOf(Fraction, "discount"), fieldsOf(Truth, "mfn proRata"), fieldsOf(Identifier, "externalId")),
		kind("plans", "totalShares",
			fieldsOf(Name, "plan pool security"), fieldsOf(Quantity, "totalShares"), fieldsOf(Price, "strikePrice"),
			fieldsOf(Day, "boardApprovalDate stockholderApprovalDate effectiveDate"), fieldsOf(Name, "cancellationBehavior")),
		kind("vestingSchedules", "",
			fieldsOf(Name, "name length frequency cliff"), fieldsOf(Fraction, "cliffFraction")),
		kind("valuations", "",
			fieldsOf(Name, "security type"), fieldsOf(Day, "effectiveDate expiresOn"), fieldsOf(Price, "pricePerShare companyValue"),
			fieldsOf(Name, "provider")),
		kind("capitalChanges", "amount",
			fieldsOf(Name, "holder kind"), fieldsOf(Price, "amount"), fieldsOf(Day, "date"), fieldsOf(Name, "note")),
	}
}
