package messages

import (
	"context"
	"encoding/json"
	"fmt"

	"equity/captable"
	"equity/captable/ocf"
	"equity/organization"
)

// History is what a package is made from.
type History interface {
	// Scan gives the rows behind after up to upTo, oldest first.
	Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(Row) error) error
	// Particulars gives the personal particulars of the entities, JSON by field.
	Particulars(ctx context.Context, id organization.ID, entities ...captable.EntityID) (
		map[captable.EntityID]map[string]json.RawMessage, error)
}

// Package writes the organization as it was known at the sequence as a package of the
// Open Cap Format. It is made from the journal, which keeps imported objects as they
// came. Particulars of holders are in it only when they are asked for.
func Package(
	ctx context.Context, history History, id organization.ID, upTo uint64, cover ocf.Cover, particulars bool,
) (*ocf.Archive, error) {
	exporter, decoder := organization.NewExporter(), organization.NewDecoder()
	err := history.Scan(ctx, id, 0, upTo, func(row Row) error {
		event, err := decoder.Decode(row.Type, row.Payload)
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
