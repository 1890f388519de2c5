package connection

import (
	"encoding/json"
	"slices"

	"equity/captable"
	"equity/organization"
)

// The names in snapshots, in the journal and in references, which never change.
const (
	// ExtensionName is the name of the extension, and of the consumer.
	ExtensionName = "drive"
	// KindSync is the kind of configurations.
	KindSync = "syncConfiguration"
	kind     = "driveConnection"
)

// partVersion changes with each change of the packed form.
const partVersion = 1

// Extension returns the part of the aggregate with the connection. Only members who may edit documents see it, and read the folders in the
// journal.
func Extension() organization.Extension {
	connections := organization.KindOf(
		kind, func(s *organization.State, _ ID) (*Connection, bool) { return Of(s).Connection() }, func(c *Connection) ID { return c.ID },
	)
	configurations := organization.KindOf(
		KindSync, func(s *organization.State, id SyncID) (*SyncConfiguration, bool) { return Of(s).Sync(id) },
		func(c *SyncConfiguration) SyncID { return c.ID },
	)
	return organization.Extension{
		Name: ExtensionName,
		New:  func() organization.Part { return newPart() },
		Events: []organization.Declaration{
			organization.Declare(Connected{}),
			organization.Declare(Disconnected{}),
			organization.Declare(SyncConfigured{}).ReadBy(organization.EditDocuments),
			organization.Declare(SyncChanged{}).ReadBy(organization.EditDocuments),
			organization.Declare(SyncRemoved{}),
		},
		Kinds: []organization.Kind{connections.SeenBy(organization.EditDocuments), configurations.SeenBy(organization.EditDocuments)},
		Guard: keepStorage,
	}
}

// keepStorage refuses another storage of documents while the organization is connected.
func keepStorage(d *organization.Decision) error {
	if _, connected := Of(d.Before).Connection(); !connected {
		return nil
	}
	for _, event := range d.Events {
		if changed, ok := event.(organization.Changed); ok && changed.Profile.Storage != d.Before.Profile().Storage {
			return organization.StorageInUse()
		}
	}
	return nil
}

// Part is the connection of one organization, with its configurations. The methods for reading accept nil, the part of an organization
// without a connection.
type Part struct {
	present *Connection // nil without one
	syncs   captable.Records[SyncConfiguration, SyncConfiguration]
}

func newPart() *Part {
	return &Part{syncs: captable.NewRecords[SyncConfiguration, SyncConfiguration]()}
}

// Of returns the part of the organization for reading.
func Of(s *organization.State) *Part {
	part, _ := organization.PartOf[*Part](s, ExtensionName)
	return part
}

// edited returns the part of the organization for an event to change.
func edited(s *organization.State) *Part { return organization.ChangePart(s, ExtensionName, newPart) }

// Connection returns the connection to a cloud drive, or false.
func (p *Part) Connection() (*Connection, bool) {
	if p == nil || p.present == nil {
		return nil, false
	}
	return p.present, true
}

// Syncs returns the configurations in order of creation.
func (p *Part) Syncs() []*SyncConfiguration {
	if p == nil || p.syncs.Len() == 0 {
		return nil
	}
	return slices.Collect(p.syncs.All())
}

// Sync returns a configuration.
func (p *Part) Sync(id SyncID) (*SyncConfiguration, bool) {
	if p == nil {
		return nil, false
	}
	return p.syncs.Get(id)
}

// Version returns the version of the packed form.
func (*Part) Version() uint64 { return partVersion }

// Copy returns an independent copy in constant time.
func (p *Part) Copy() organization.Part { return &Part{p.present, p.syncs.Copy()} }

// Pack packs the connection and the configurations as JSON, because there are at most 20.
func (p *Part) Pack(packer *captable.Packer) error {
	var stored struct {
		Connection *Connection          `json:"connection,omitempty"`
		Syncs      []*SyncConfiguration `json:"syncs,omitempty"`
	}
	stored.Connection, stored.Syncs = p.present, p.Syncs()
	packed, err := json.Marshal(stored)
	text := string(packed)
	packer.Text(&text)
	if !packer.Reading() {
		return err
	}
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return err
	}
	p.present = stored.Connection
	for _, each := range stored.Syncs {
		p.syncs.Set(each.ID, each)
	}
	return nil
}

func affected(kind string, id [16]byte) []organization.Reference {
	return []organization.Reference{{Kind: kind, ID: id}}
}
