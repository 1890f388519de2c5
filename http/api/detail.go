package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"equity/captable"
	"equity/captable/exact"
)

// Detail is one argument of a previewed change, in words for the person that confirms it. Each argument of the request has a detail, and
// the text of a detail differs if the argument differs.
type Detail struct {
	// Pointer is the place of the argument, as in faults.
	Pointer string `json:"pointer"`
	Label   string `json:"label"`
	// Value is the argument: a plain word, or a quoted text in which invisible characters are escaped.
	Value string `json:"value"`
	// Kind and Name are those of the record that an id names. Kind is "unknown" for a record that the caller may not see.
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
	// Mark is the reason why the argument decides: see x-mark of the contract.
	Mark string `json:"mark,omitempty"`

	id     [16]byte          // zero for other values
	entity captable.EntityID // of a person, whose address belongs to the name
}

// kindUnknown is the kind of an id that names no record that the caller may see.
const kindUnknown = "unknown"

// Describer describes the arguments of requests.
type Describer struct {
	// Outside returns the names of records outside of organizations; nil without such records. It is set before the first request.
	Outside RecordNames
	// Rooms name the records of rooms in organizations. They are set before the first request.
	Rooms []Room

	index Index
	// operations are those of the contract by id.
	operations map[string]*Operation
	// eachHome calls visit with a call for each organization of the caller.
	eachHome func(ctx context.Context, c *Call, visit func(home *Call)) error
}

// RecordNames returns the kind and the name of a record outside of organizations; empty for an id that names none that the caller may see.
type RecordNames func(ctx context.Context, c *Call, id [16]byte) (kind, name string, err error)

// Details returns the arguments of the request of a call in the order of the path, of the query and of the body.
func (s *Describer) Details(ctx context.Context, c *Call) ([]Detail, error) {
	list := &detailList{found: []Detail{}}
	for i := range c.Operation.inPath {
		list.parameter(&c.Operation.inPath[i], c.path)
	}
	for i := range c.Operation.inQuery {
		if !excludedParameter(c.Operation.inQuery[i].name) {
			list.parameter(&c.Operation.inQuery[i], c.query)
		}
	}
	for i := range c.Files {
		field := cmp.Or(c.Files[i].Field, "file")
		list.add(Detail{
			Pointer: "/" + field, Label: words(field),
			Value: strconv.Quote(c.Files[i].Name) + ", SHA-256 " + c.Files[i].SHA256,
		})
	}
	if len(c.Body) > 0 && c.Operation.body != nil && c.Operation.body.argument != nil {
		decoder := json.NewDecoder(bytes.NewReader(c.Body))
		decoder.UseNumber()
		if err := list.value(decoder, c.Operation.body.argument, spot{}, ""); err != nil {
			return nil, fmt.Errorf("describe the body: %w", err)
		}
	}
	return list.found, s.addNames(ctx, c, list.found)
}

// addNames adds the names of the records that ids name: those of the organization of the call, or of all organizations of the caller if the
// operation is outside of organizations.
func (s *Describer) addNames(ctx context.Context, c *Call, found []Detail) error {
	if !slices.ContainsFunc(found, func(d Detail) bool { return d.id != [16]byte{} }) {
		return nil
	}
	if c.View != nil {
		return s.addNamesIn(ctx, c, found)
	}
	if c.Caller.User.IsZero() {
		return nil
	}
	var failure error
	err := s.eachHome(ctx, c, func(home *Call) {
		if failure == nil {
			failure = s.addNamesIn(ctx, home, found)
		}
	})
	c.Personal = true
	for i := range found {
		d := &found[i]
		if err == nil && d.id != [16]byte{} && d.Name == "" && s.Outside != nil {
			var kind string
			if kind, d.Name, err = s.Outside(ctx, c, d.id); kind != "" {
				d.Kind, d.Name = kind, visible(d.Name)
			}
		}
	}
	return errors.Join(err, failure)
}

// addNamesIn adds the names of the records of the call's organization.
func (s *Describer) addNamesIn(ctx context.Context, c *Call, found []Detail) error {
	var entities []captable.EntityID
	for i := range found {
		d := &found[i]
		if d.id == [16]byte{} || d.Name != "" {
			continue
		}
		named := s.nameOf(c, d.id)
		if named.kind == "" {
			continue
		}
		d.Kind, d.Name, d.entity = named.kind, named.name, named.entity
		if !d.entity.IsZero() && !slices.Contains(entities, d.entity) {
			entities = append(entities, d.entity)
		}
	}
	return s.addAddresses(ctx, c, found, entities)
}

// detailList collects the details of a call.
type detailList struct {
	found []Detail
	// refers returns the record that a text refers to, other than by its id; nil without such texts. Pointers begin after base.
	refers func(pointer, text string) Reference
	base   string
}

// spot is the place of a part of a body.
type spot struct{ pointer, label string }

// in returns the place of a field.
func (p spot) in(name string) spot {
	escaped := strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
	label := words(name)
	if label == "" { // a name without letters
		label = strconv.Quote(name)
	}
	if p.label != "" {
		first, size := utf8.DecodeRuneInString(label)
		label = p.label + ": " + string(unicode.ToLower(first)) + label[size:]
	}
	return spot{p.pointer + "/" + escaped, label}
}

// at returns the place of an item.
func (p spot) at(index int) spot {
	return spot{p.pointer + "/" + strconv.Itoa(index), p.label + " " + strconv.Itoa(index+1)}
}

func (l *detailList) add(d Detail) { l.found = append(l.found, d) }

// parameter adds a parameter with its text.
func (l *detailList) parameter(p *parameter, values map[string]string) {
	if text, given := values[p.name]; given {
		l.text(text, p.argument, spot{p.pointer, words(p.name)}, p.argument.mark)
	}
}

// value adds the parts of the next JSON value. The outermost mark applies to all parts.
func (l *detailList) value(decoder *json.Decoder, of *argument, at spot, mark string) error {
	if mark == "" {
		mark = of.mark
	}
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	switch found := token.(type) {
	case json.Delim:
		return l.parts(decoder, of, at, mark, found)
	case string:
		l.text(found, of, at, mark)
	case json.Number:
		l.add(Detail{Pointer: at.pointer, Label: at.label, Value: found.String(), Mark: mark})
	case bool:
		l.add(Detail{Pointer: at.pointer, Label: at.label, Value: map[bool]string{true: "yes", false: "no"}[found], Mark: mark})
	case nil:
		l.add(Detail{Pointer: at.pointer, Label: at.label, Value: "no value", Mark: mark})
	}
	return nil
}

// parts adds the parts of an object or of a list, whose beginning was read.
func (l *detailList) parts(decoder *json.Decoder, of *argument, at spot, mark string, begin json.Delim) error {
	count := 0
	for ; decoder.More(); count++ {
		var err error
		if begin == '[' {
			err = l.value(decoder, of.item(), at.at(count), mark)
		} else {
			var name json.Token
			if name, err = decoder.Token(); err == nil {
				field, _ := name.(string)
				err = l.value(decoder, of.field(field), at.in(field), mark)
			}
		}
		if err != nil {
			return err
		}
	}
	if count == 0 && at.pointer != "" {
		l.add(Detail{
			Pointer: at.pointer, Label: at.label, Value: map[json.Delim]string{'[': "empty list", '{': "no fields"}[begin], Mark: mark,
		})
	}
	_, err := decoder.Token() // its end
	return err
}

// text adds a text with the name of the record whose id it is.
func (l *detailList) text(text string, of *argument, at spot, mark string) {
	shown := Detail{Pointer: at.pointer, Label: at.label, Value: text, Mark: mark}
	switch {
	case of.secret:
		shown.Value = "hidden, " + strconv.Itoa(len([]rune(text))) + " characters"
	case of.percent:
		shown.Value = percentage(text)
	case !of.word || !isWord(text):
		shown.Value = strconv.Quote(text)
	}
	if id, err := captable.ParseID[struct{}](text); err == nil && !of.secret {
		shown.id = id
	}
	if of.id {
		shown.Kind = kindUnknown
	}
	if l.refers != nil && !of.secret {
		shown.refer(l.refers(strings.TrimPrefix(at.pointer, l.base), text))
	}
	l.add(shown)
}

// percentage returns a fraction as a percentage with the fraction itself. A text that is no number is quoted.
func percentage(text string) string {
	fraction, err := exact.ParseDecimal(text)
	if err != nil {
		return strconv.Quote(text)
	}
	return fraction.Mul(exact.NewDecimal(100)).String() + " % (" + text + ")"
}

// isWord reports whether a text is visible as it is, without quotation marks.
func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= unicode.MaxASCII || r == '"' })
}

// addAddresses adds the e-mail addresses of the persons to their names.
func (s *Describer) addAddresses(ctx context.Context, c *Call, found []Detail, entities []captable.EntityID) error {
	if len(entities) == 0 {
		return nil
	}
	particulars, err := s.index.Particulars(ctx, c.Organization, entities...)
	if err != nil {
		return Unavailable(Wrap(ctx, "read particulars", err))
	}
	c.Personal = true
	for i := range found {
		if found[i].entity.IsZero() {
			continue
		}
		var email string
		if json.Unmarshal(particulars[found[i].entity]["email"], &email) == nil && email != "" {
			found[i].Name += ", " + visible(email)
		}
		found[i].entity = captable.EntityID{} // named
	}
	return nil
}

// visible returns a name on one line, in which invisible characters are escaped.
func visible(text string) string {
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// words returns the name of a field in words: "pricePerShare" is "Price per share".
func words(name string) string {
	var text strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			text.WriteRune(unicode.ToUpper(r))
		case unicode.IsUpper(r):
			text.WriteByte(' ')
			text.WriteRune(unicode.ToLower(r))
		case r == '_' || r == '-':
			text.WriteByte(' ')
		case !unicode.IsPrint(r):
			text.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			text.WriteRune(r)
		}
	}
	return text.String()
}
