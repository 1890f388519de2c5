package document

import (
	"context"
	"net/http"

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
	release, err := s.admitStorage(ctx, c, content)
	if err != nil {
		return api.Answer{}, err
	}
	defer release()
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
	open, err := readableFile(c)
	if err != nil {
		return api.Answer{}, err
	}
	r := reading{
		organization: c.Organization, scope: scopeOf(c.Organization), file: open.File, name: open.Name, access: open.Access,
		owner:  viewer(c).Owner,
		reader: s.member(c),
	}
	if found := open.Document; found != nil {
		r.view = messages.DocumentView{Document: found.ID, User: c.Caller.User, Version: versionOf(found, open.ID)}
	}
	return s.serve(ctx, c, r)
}

// readableFile returns the file of the path with the conditions of its access, if the caller may read it.
func readableFile(c *api.Call) (organization.OpenFile, error) {
	open, ok := c.ReadableFiles().Open(api.PathID[room.File](c, "file"))
	if !ok {
		return open, api.NotFound()
	}
	return open, nil
}

// erase erases the bytes of a file. Only Owners may do that, or for a file of a profile the callers who may change the profile.
func (s files) erase(ctx context.Context, c *api.Call) (api.Answer, error) {
	if !c.Subject.Entity.IsZero() {
		return s.eraseProfileFile(ctx, c)
	}
	if !viewer(c).Owner {
		return api.Answer{}, api.Forbidden()
	}
	stored, err := readableFile(c)
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
