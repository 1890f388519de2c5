// Package member serves organizations, their members, invitations, roles and imports.
package member

import (
	"context"
	"maps"

	"equity/captable/ocf"
	"equity/http/api"
	"equity/http/tables"
	"equity/membership"
	"equity/organization"
	"equity/sheet"
)

// Services are the dependencies of the package.
type Services struct {
	Index       api.Index
	Memberships *membership.Service
	// Features are the switched features, as organizations report them.
	Features map[string]bool
	// Imports bound uploaded files.
	Imports ImportSettings
	// Tables reads spreadsheets.
	Tables Tables
	// Packages reads packages.
	Packages Packages
	// OfficeSuite is nil if the server has none.
	OfficeSuite OfficeSuite
	// NewID returns a new UUID of version 7.
	NewID func() [16]byte
}

// Tables reads spreadsheets of a group, which shares the places of children with others in turns.
type Tables interface {
	Read(ctx context.Context, group string, content []byte, asked tables.Request) (sheet.Recognition, error)
}

// Packages reads packages of a group, from an archive or from the files in it.
type Packages interface {
	Archive(ctx context.Context, group string, file api.File) (*ocf.Package, ocf.Findings, error)
	Files(ctx context.Context, group string, files []api.File) (*ocf.Package, ocf.Findings, error)
}

// base is the common part of the operations.
type base struct {
	*api.Kernel
	Services
}

type (
	imports       struct{ *base }
	invitations   struct{ *base }
	members       struct{ *base }
	organizations struct{ *base }
	roles         struct{ *base }
)

// Feature serves the operations of organizations and members.
type Feature struct{ base *base }

// New returns the feature.
func New(kernel *api.Kernel, services Services) *Feature {
	return &Feature{&base{kernel, services}}
}

// Operations returns the handlers of the package by operation id.
func (f *Feature) Operations() map[string]api.Handler {
	all := map[string]api.Handler{}
	for _, part := range []interface{ operations() map[string]api.Handler }{
		organizations{f.base}, members{f.base}, invitations{f.base}, roles{f.base}, imports{f.base},
	} {
		maps.Copy(all, part.operations())
	}
	return all
}

// Describe returns the record of a member.
func (f *Feature) Describe(ctx context.Context, c *api.Call, member *organization.Member) (any, error) {
	records, err := f.base.describeMembers(ctx, c, []*organization.Member{member})
	if err != nil {
		return nil, err
	}
	return records[0], nil
}

// request returns the origin of a change of the record; nil if the operation does not support If-Match.
func (s *base) request(c *api.Call, record any) (membership.Request, error) {
	command, err := c.Command(nil, record)
	return membership.Request{Caller: api.MembershipCaller(c), Network: c.Caller.Network(), Command: command}, err
}
