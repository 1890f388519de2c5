package ocf

import (
	"encoding/json"
	"strings"

	"equity/captable"
	"equity/captable/exact"
)

// Object is one object of a package. It is immutable after the package has been read.
type Object struct {
	// Type is its object_type, such as TX_STOCK_ISSUANCE.
	Type string
	// ID is unique among the objects of the type.
	ID string
	// File is the file_type of its file, such as OCF_TRANSACTIONS_FILE.
	File string
	// Order is its zero-based position among all objects of the package.
	Order int
	// Raw is the imported JSON in compact form.
	Raw json.RawMessage

	path    string // path of the file
	spans   []span
	values  map[string]any // only while the object is checked, and of nested objects
	refused bool           // by a finding; the object creates no commands
}

// source returns the object as recorded in the journal.
func (o *Object) source() *captable.Source {
	return &captable.Source{File: o.File, Order: o.Order, Object: o.Raw}
}

// text returns a string field. Returns an empty string if the field is missing or not a
// string.
func (o *Object) text(name string) string {
	text, _ := o.value(name).(string)
	return text
}

// texts returns the non-empty strings of a list.
func (o *Object) texts(name string) []string {
	list, _ := o.value(name).([]any)
	var texts []string
	for _, value := range list {
		if text, ok := value.(string); ok && text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

func (o *Object) number(name string) captable.Decimal {
	number, _ := parseNumeric(o.text(name))
	return number
}

// figure returns an optional number, or nil.
func (o *Object) figure(name string) *captable.Decimal {
	number, ok := parseNumeric(o.text(name))
	if !ok {
		return nil
	}
	return &number
}

func (o *Object) date(name string) captable.Date {
	date, _ := exact.ParseDate(o.text(name))
	return date
}

// day returns the date of a transaction, or zero for other objects.
func (o *Object) day() captable.Date {
	if !isTransaction(o.Type) {
		return 0
	}
	return o.date("date")
}

// price returns an amount of money, or nil if it is missing.
func (o *Object) price(name string) *captable.Price {
	money, ok := o.value(name).(map[string]any)
	if !ok {
		return nil
	}
	text, _ := money["amount"].(string)
	amount, ok := parseNumeric(text)
	if !ok {
		return nil
	}
	currency, _ := money["currency"].(string)
	return &captable.Price{Amount: amount, Currency: currency}
}

// ratioOf parses a Ratio. Returns false unless both parts are positive.
func ratioOf(value any) (captable.Ratio, bool) {
	ratio, _ := value.(map[string]any)
	numerator, _ := ratio["numerator"].(string)
	denominator, _ := ratio["denominator"].(string)
	n, fine := parseNumeric(numerator)
	d, well := parseNumeric(denominator)
	return captable.Ratio{Numerator: n, Denominator: d}, fine && well && n.Sign() > 0 && d.Sign() > 0
}

// parseNumeric parses a Numeric of the format. Unlike the decimals of the cap table, it may
// have a plus sign and leading zeros.
func parseNumeric(text string) (captable.Decimal, bool) {
	sign := ""
	if rest, signed := strings.CutPrefix(text, "+"); signed {
		text = rest
	} else if rest, signed := strings.CutPrefix(text, "-"); signed {
		sign, text = "-", rest
	}
	if text == "" || text[0] < '0' || text[0] > '9' {
		return captable.Decimal{}, false
	}
	text = strings.TrimLeft(text, "0")
	if text == "" || text[0] == '.' {
		text = "0" + text
	}
	number, err := exact.ParseDecimal(sign + text)
	return number, err == nil
}
