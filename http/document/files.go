package document

import (
	"context"
	"net/http"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
)

func (s files) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"uploadFile":          s.upload,
		"uploadProfileFile":   s.uploadToProfile,
		"getFileContent":      s.content,
		"getFileContentNamed": s.content,
		"eraseFileContent":    s.erase,
	}
}

// upload stores one file outside of the data room.
func (s files) upload(ctx context.Context, c *api.Call) (api.Answer, error) {
	content, err := s.single(c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.admitStorage(c, content); err != nil {
		return api.Answer{}, err
	}
	if !c.DryRun() {
		if err := s.store(ctx, c, scopeOf(c.Organization)); err != nil {
			return api.Answer{}, err
		}
	}
	command := organization.RoomCommand(room.StoreFile{Content: content})
	return api.ChangeOrganization(ctx, s.Kernel, c, command, nil, func(stored *room.File) api.Result {
		return api.Result{Record: file{stored, c.Organization}, Location: "/file/" + stored.ID.String() + "/content"}
	})
}

// single describes the only file of the form.
func (s files) single(c *api.Call) (room.Content, error) {
	if len(c.Files) != 1 {
		return room.Content{}, fault.Refuse(fault.MissingFile, "Send exactly one file.")
	}
	return s.check(c.Files[0], s.Settings.FileLimit)
}

// content returns the bytes of a file.
func (s files) content(ctx context.Context, c *api.Call) (api.Answer, error) {
	if !c.Subject.Entity.IsZero() {
		return s.profileContent(ctx, c)
	}
	stored, access, err := s.readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	r := reading{organization: c.Organization, scope: scopeOf(c.Organization), file: stored, name: stored.Name, access: access, owner: viewer(c).Owner, reader: s.member(c)}
	if holders := c.View.State.Documents().Holders(stored.ID); len(holders) > 0 {
		r.view = messages.DocumentView{Document: holders[0].ID, User: c.Caller.User, Version: versionOf(holders[0], stored.ID)}
	}
	return s.serve(ctx, c, r)
}

// readable returns the file of the path with the conditions of its access, if the caller may read it. A file of documents is readable
// if one of the documents is. Other files are readable with viewDocuments and for the uploader. A record that names the file permits its
// own readers.
func (s files) readable(c *api.Call) (*room.File, room.Access, error) {
	tree, reader, free := c.View.State.Documents(), viewer(c), room.Access{Mode: room.Inherit, Download: true}
	stored, ok := tree.File(api.PathID[room.File](c, "file"))
	if !ok {
		return nil, room.Access{}, api.NotFound()
	}
	holders := tree.Holders(stored.ID)
	for _, holder := range holders {
		if access := tree.Access(holder); access.Sees(reader) && (holder.Deletion == nil || reader.Owner) {
			return stored, access, nil
		}
	}
	uploaded := stored.CreatedBy == c.Caller.User.String()
	if len(holders) == 0 && (reader.Owner || reader.ViewDocuments || uploaded) || readsRecord(c, stored.ID) {
		return stored, free, nil
	}
	return nil, room.Access{}, api.NotFound()
}

// readsRecord reports whether the caller may read a record that names the file.
func readsRecord(c *api.Call, id room.FileID) bool {
	name := id.String()
	for use := range c.View.State.FileUses() {
		if use.File == name && readsUse(c, use) {
			return true
		}
	}
	return false
}

func readsUse(c *api.Call, use organization.FileUse) bool {
	table := c.View.State.Table()
	switch use.Kind {
	case organization.UsedAsLogo:
		return true
	case organization.UsedByValuation:
		return c.Can(organization.ViewCapTable)
	case organization.UsedAsOperatingAgreement:
		return c.Can(organization.ViewGoverningDocuments)
	case organization.UsedByGrant:
		grant, ok := table.Grant(use.Grant)
		return c.Can(organization.ViewIncentivePlan) || c.Can(organization.ViewCapTable) || ok && holds(c, grant)
	case organization.UsedByPlan:
		if c.Can(organization.ViewIncentivePlan) || c.Can(organization.ViewCapTable) {
			return true
		}
		for grant := range table.GrantsOf(c.Member.Entity) {
			if grant.Plan == use.Plan && holds(c, grant) {
				return true
			}
		}
	}
	return false
}

// holds reports whether the grant belongs to the caller.
func holds(c *api.Call, grant *captable.Grant) bool {
	return c.Can(organization.ViewSelf) && grant.Entity == c.Member.Entity
}

// erase erases the bytes of a file. Only Owners may do that, or for a file of a profile the callers who may change the profile.
func (s files) erase(ctx context.Context, c *api.Call) (api.Answer, error) {
	if !c.Subject.Entity.IsZero() {
		return s.eraseProfileFile(ctx, c)
	}
	if !viewer(c).Owner {
		return api.Answer{}, api.Forbidden()
	}
	stored, _, err := s.readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	command, err := api.Decode[room.EraseFile](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = stored.ID
	var expected any = stored.ID
	if c.Header("If-Match") == `"`+stored.SHA256+`"` { // the ETag of the content, which never changes
		expected = nil
	}
	reply, err := s.Decide(ctx, c, organization.Room{Command: command}, expected)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}
