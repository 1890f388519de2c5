package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// Values of x-amount: the form of an amount that the handlers of a request read. The contract accepts both forms.
const (
	amountMoney   = "money"   // an object with the amount and its currency
	amountDecimal = "decimal" // a decimal string in the organization's currency
)

// amounts describes where a body has amounts with x-amount. It is immutable once compiled.
type amounts struct {
	form   string // amountMoney or amountDecimal; empty for other values
	fields map[string]*amounts
	items  *amounts
}

// amountsOf returns the amounts of a schema; nil if it has none. Parts that contain themselves have none.
func amountsOf(ref *openapi3.SchemaRef, within []*openapi3.Schema) (found *amounts, err error) {
	if ref == nil || ref.Value == nil || slices.Contains(within, ref.Value) {
		return found, nil
	}
	schema := ref.Value
	switch form := extension(schema.Extensions, "x-amount"); {
	case form == amountMoney || form == amountDecimal:
		return &amounts{form: form}, nil
	case form != "":
		return nil, fmt.Errorf("%w: x-amount %q", ErrContract, form)
	case len(schema.AllOf) == 1:
		return amountsOf(schema.AllOf[0], within)
	}
	within = append(slices.Clone(within), schema)
	made := &amounts{fields: map[string]*amounts{}}
	for name, field := range schema.Properties {
		part, err := amountsOf(field, within)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if part != nil {
			made.fields[name], found = part, made
		}
	}
	if made.items, err = amountsOf(schema.Items, within); made.items != nil {
		found = made
	}
	return found, err
}

// unify returns the body with its amounts in the form that its handler reads. It returns a fault for each amount in a currency other than the given one
// where only this one is possible.
func (of *amounts) unify(body []byte, currency string) ([]byte, fault.Fields) {
	u := unifier{currency: currency}
	return u.value(of, "", body), u.faults
}

type unifier struct {
	currency string
	faults   fault.Fields
}

// value returns the valid JSON value with its amounts rewritten. The order of fields is kept, because previews show it.
func (u *unifier) value(of *amounts, pointer string, text []byte) []byte {
	switch text = bytes.TrimSpace(text); {
	case of.form == amountMoney:
		return u.money(text)
	case of.form == amountDecimal:
		return u.decimal(pointer, text)
	case text[0] != '{' && text[0] != '[':
		return text
	}
	reader, written, copied := json.NewDecoder(bytes.NewReader(text)), bytes.Buffer{}, int64(0)
	_, _ = reader.Token() // the text is valid
	for n := 0; reader.More(); n++ {
		part, name := of.items, strconv.Itoa(n)
		if text[0] == '{' {
			key, _ := reader.Token()
			name, _ = key.(string)
			part = of.fields[name]
		}
		var field json.RawMessage
		_ = reader.Decode(&field)
		if part == nil {
			continue
		}
		end := reader.InputOffset()
		_, _ = written.Write(text[copied : end-int64(len(field))])
		_, _ = written.Write(u.value(part, pointer+"/"+name, field))
		copied = end
	}
	_, _ = written.Write(text[copied:])
	return written.Bytes()
}

// money adds the currency of the organization to a decimal string.
func (u *unifier) money(text []byte) []byte {
	var plain string
	if json.Unmarshal(text, &plain) != nil {
		return text
	}
	amount, err := exact.ParseDecimal(plain)
	if err != nil || amount.Sign() < 0 { // the schema refuses it
		return text
	}
	return []byte(`{"amount":` + string(text) + `,"currency":` + strconv.Quote(u.currency) + `}`)
}

// decimal returns the decimal string of an amount in the currency of the organization. The schema refuses missing fields and wrong types.
func (u *unifier) decimal(pointer string, text []byte) []byte {
	var stated struct{ Amount, Currency json.RawMessage }
	var amount, currency string
	if text[0] != '{' || json.Unmarshal(text, &stated) != nil || json.Unmarshal(stated.Amount, &amount) != nil ||
		json.Unmarshal(stated.Currency, &currency) != nil || !captable.IsCurrency(currency) {
		return text
	}
	switch {
	case currency != u.currency:
		u.faults.Add(pointer+"/currency", "otherCurrency", "State the amount in the currency of the organization, "+u.currency+".")
	case strings.HasPrefix(amount, "-"):
		u.faults.Add(pointer+"/amount", "negative", "The amount must not be negative.")
	default:
		return stated.Amount
	}
	return text
}
