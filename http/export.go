package http

import (
	"bytes"
	"context"

	"equity/captable/ocf"
	"equity/messages"
	"equity/organization"
)

// history is what a package is made from.
type history struct {
	Journal
	Index
}

// exportPackage writes the organization as a package of the Open Cap Format. Those
// who may not view members get no particulars of the holders.
func (s *Server) exportPackage(ctx context.Context, c *Call) ([]byte, error) {
	c.personal = c.Can(organization.ViewMembers)
	// Not the clock's time: the same state gives the same bytes.
	cover := ocf.Cover{AsOf: c.through(), GeneratedAt: c.View.RecordedAt}
	archive, err := messages.Package(
		ctx, history{s.journal, s.index}, c.Organization, c.View.Sequence, cover, c.Can(organization.ViewMembers),
	)
	if err != nil {
		return nil, unavailable(err)
	}
	var packed bytes.Buffer
	err = archive.WriteZip(&packed)
	return packed.Bytes(), err
}
