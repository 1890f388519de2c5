package http

import (
	"bytes"
	"context"

	"equity/captable/ocf"
	"equity/messages"
	"equity/organization"
)

// history holds the events of an exported package.
type history struct {
	Journal
	Index
}

// exportPackage returns the organization as a package of the Open Cap Format. Without permission to
// view members, it omits the particulars of holders.
func (s *Server) exportPackage(ctx context.Context, c *Call) ([]byte, error) {
	c.personal = c.Can(organization.ViewMembers)
	// The time of the view, not the clock, so that equal states produce equal bytes.
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
