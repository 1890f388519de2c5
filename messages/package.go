package messages

import (
	"context"
	"encoding/json"
	"fmt"

	"equity/captable"
	"equity/captable/ocf"
	"equity/organization"
)

// History is the source of a package.
type History interface {
	// Scan calls each with the rows after the sequence after up to and including upTo, in ascending order.
	Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(Row) error) error
	// Particulars returns the personal particulars of the entities: JSON values by field.
	Particulars(ctx context.Context, id organization.ID, entities ...captable.EntityID) (
		map[captable.EntityID]map[string]json.RawMessage, error)
}

// PreparedPackage is a package that was read for an import.
type PreparedPackage struct {
	Import      organization.ImportPackage
	Particulars []Particular
	Findings    ocf.Findings
}

// PreparePackage assigns the ids of the holders of a package. The particulars are stored together with the import.
func PreparePackage(pack *ocf.Package, findings ocf.Findings, newID func() [16]byte) PreparedPackage {
	pack.Prepare(newID)
	prepared := PreparedPackage{Import: organization.ImportPackage{Package: pack}, Findings: findings}
	for _, particular := range pack.Particulars() {
		prepared.Particulars = append(prepared.Particulars, Particular(particular))
	}
	return prepared
}

// Package returns the organization as of a sequence as a package of the Open Cap
// Format. It is created from the journal, which keeps imported objects unchanged.
// Personal particulars of holders are included on request only.
func Package(
	ctx context.Context, schema *organization.Schema, history History, id organization.ID, upTo uint64, cover ocf.Cover, particulars bool,
) (*ocf.Archive, error) {
	exporter := organization.NewExporter()
	err := history.Scan(ctx, id, 0, upTo, func(row Row) error {
		event, err := schema.Decode(row.Type, row.Payload)
		if err != nil {
			return err
		}
		if !particulars {
			event = organization.WithoutPrivateFields(event)
		}
		exporter.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("package of %s: %w", id, err)
	}
	if particulars {
		if cover.Particulars, err = history.Particulars(ctx, id, exporter.Entities()...); err != nil {
			return nil, fmt.Errorf("package of %s: %w", id, err)
		}
	}
	return exporter.Package(cover)
}
