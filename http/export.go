package http

import (
	"bytes"
	"context"
	"fmt"

	"equity/captable"
	"equity/captable/ocf"
	"equity/messages"
	"equity/organization"
)

// exportPackage writes the organization as a package of the Open Cap Format. It is
// made from the journal, which keeps imported objects as they came. Those who may not
// view members get no particulars of the holders.
func (s *Server) exportPackage(ctx context.Context, c *Call) ([]byte, error) {
	exporter, decoder := organization.NewExporter(), organization.NewDecoder()
	err := s.journal.Scan(ctx, c.Organization, 0, c.View.Sequence, func(row messages.Row) error {
		event, err := decoder.Decode(row.Type, row.Payload)
		if err != nil {
			return err
		}
		exporter.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
		return nil
	})
	if err != nil {
		return nil, unavailable(fmt.Errorf("export %s: %w", c.Organization, err))
	}
	// Not the clock's time: the same state gives the same bytes.
	cover := ocf.Cover{AsOf: c.through(), GeneratedAt: c.View.RecordedAt}
	if c.Can(organization.ViewMembers) {
		cover.Particulars, err = s.index.Particulars(ctx, c.Organization, exporter.Entities()...)
		if err != nil {
			return nil, unavailable(fmt.Errorf("export %s: %w", c.Organization, err))
		}
	}
	archive, err := exporter.Package(cover)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", c.Organization, err)
	}
	var packed bytes.Buffer
	err = archive.WriteZip(&packed)
	return packed.Bytes(), err
}
