package endpoint

import (
	"encoding/json"
	"slices"

	"equity/captable"
	"equity/organization"
)

// The names in snapshots, in the journal and in references, which never change.
const (
	// ExtensionName is the name of the extension, and of the consumer.
	ExtensionName = "webhook"
	kind          = "webhook"
)

// partVersion changes with each change of the packed form.
const partVersion = 1

// Extension returns the part of the aggregate with the webhooks. Only members who may change the organization read the addresses in the
// journal.
func Extension() organization.Extension {
	webhooks := organization.KindOf(
		kind, func(s *organization.State, id ID) (*Webhook, bool) { return Of(s).Get(id) }, func(w *Webhook) ID { return w.ID },
	)
	return organization.Extension{
		Name: ExtensionName,
		New:  func() organization.Part { return newPart() },
		Events: []organization.Declaration{
			organization.Declare(Created{}).ReadBy(organization.EditOrganizationDetails),
			organization.Declare(Changed{}).ReadBy(organization.EditOrganizationDetails),
			organization.Declare(Deleted{}),
			organization.Declare(Disabled{}),
		},
		Kinds: []organization.Kind{webhooks.SeenBy(organization.ViewOrganization, organization.EditOrganizationDetails)},
	}
}

// Part is the webhooks of one organization. The methods for reading accept nil, the part of an organization without webhooks.
type Part struct {
	webhooks captable.Records[Webhook, Webhook]
}

func newPart() *Part { return &Part{captable.NewRecords[Webhook, Webhook]()} }

// Of returns the webhooks of the organization for reading.
func Of(s *organization.State) *Part {
	part, _ := organization.PartOf[*Part](s, ExtensionName)
	return part
}

// edited returns the webhooks of the organization for an event to change.
func edited(s *organization.State) captable.Records[Webhook, Webhook] {
	return organization.ChangePart(s, ExtensionName, newPart).webhooks
}

// All returns the webhooks in order of creation.
func (p *Part) All() []*Webhook {
	if p == nil || p.webhooks.Len() == 0 {
		return nil
	}
	return slices.Collect(p.webhooks.All())
}

// Get returns a webhook.
func (p *Part) Get(id ID) (*Webhook, bool) {
	if p == nil {
		return nil, false
	}
	return p.webhooks.Get(id)
}

// Version returns the version of the packed form.
func (*Part) Version() uint64 { return partVersion }

// Copy returns an independent copy in constant time.
func (p *Part) Copy() organization.Part { return &Part{p.webhooks.Copy()} }

// Pack packs the webhooks as JSON, because there are at most 20.
func (p *Part) Pack(packer *captable.Packer) error {
	webhooks := p.All()
	packed, err := json.Marshal(webhooks)
	text := string(packed)
	packer.Text(&text)
	if !packer.Reading() {
		return err
	}
	if err := json.Unmarshal([]byte(text), &webhooks); err != nil {
		return err
	}
	for _, webhook := range webhooks {
		p.webhooks.Set(webhook.ID, webhook)
	}
	return nil
}
