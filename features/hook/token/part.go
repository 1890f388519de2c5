package token

import (
	"encoding/json"
	"slices"

	"equity/captable"
	"equity/organization"
)

// The names in snapshots, in the journal and in references, which never change.
const (
	// ExtensionName is the name of the extension.
	ExtensionName = "hook"
	kind          = "hookToken"
)

// partVersion changes with each change of the packed form.
const partVersion = 1

// Extension returns the part of the aggregate with the hook tokens.
func Extension() organization.Extension {
	tokens := organization.KindOf(
		kind, func(s *organization.State, id ID) (*Token, bool) { return Of(s).Get(id) }, func(t *Token) ID { return t.ID },
	)
	return organization.Extension{
		Name:   ExtensionName,
		New:    func() organization.Part { return newPart() },
		Events: []organization.Declaration{organization.Declare(Created{}), organization.Declare(Revoked{})},
		Kinds:  []organization.Kind{tokens.SeenBy(organization.EditOrganizationDetails)},
	}
}

// Part is the valid hook tokens of one organization, at most two. The list is never changed in place. The methods for reading accept nil,
// the part of an organization without tokens.
type Part struct{ tokens []*Token }

func newPart() *Part { return &Part{} }

// Of returns the hook tokens of the organization for reading.
func Of(s *organization.State) *Part {
	part, _ := organization.PartOf[*Part](s, ExtensionName)
	return part
}

// edited returns the hook tokens of the organization for an event to change.
func edited(s *organization.State) *Part { return organization.ChangePart(s, ExtensionName, newPart) }

// All returns the valid tokens in order of creation. The caller must not change the list.
func (p *Part) All() []*Token {
	if p == nil {
		return nil
	}
	return p.tokens
}

// Get returns a valid token, or false.
func (p *Part) Get(id ID) (*Token, bool) {
	for _, token := range p.All() {
		if token.ID == id {
			return token, true
		}
	}
	return nil, false
}

func (p *Part) add(token *Token) { p.tokens = append(slices.Clone(p.tokens), token) }

func (p *Part) remove(id ID) {
	p.tokens = slices.DeleteFunc(slices.Clone(p.tokens), func(t *Token) bool { return t.ID == id })
}

// Version returns the version of the packed form.
func (*Part) Version() uint64 { return partVersion }

// Copy returns an independent copy in constant time.
func (p *Part) Copy() organization.Part { return &Part{p.tokens} }

// Pack packs the tokens as JSON, because there are at most two.
func (p *Part) Pack(packer *captable.Packer) error {
	packed, err := json.Marshal(p.tokens)
	text := string(packed)
	packer.Text(&text)
	if !packer.Reading() {
		return err
	}
	return json.Unmarshal([]byte(text), &p.tokens)
}
