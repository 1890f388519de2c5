package document

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
	room "equity/organization/document"
)

// upload stores the files of a form. If one of them fails, new documents of the request are deleted again.
func (s suite) upload(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := s.form(c)
	if err != nil {
		return api.Answer{}, err
	}
	files := slices.DeleteFunc(slices.Clone(c.Files), func(f api.File) bool { return f.Field != fileField })
	return s.changed(ctx, c, http.StatusCreated, func(context.Context) (plan, error) {
		events := make([]room.Event, 0, len(files))
		for _, file := range command.Files {
			if err := s.Suite.CheckName(file.Name); err != nil {
				return plan{}, err
			}
			events = append(
				events, room.Added{ID: room.ItemID(s.NewID()), Name: file.Name, Parent: command.Parent, Storage: room.OfficeSuite},
			)
		}
		return plan{events, func(ctx context.Context) (api.Result, []room.Event, error) {
			uploads := uploads{suite: s, call: c}
			if err := uploads.run(ctx, command, files); err != nil {
				return api.Result{}, nil, errors.Join(err, uploads.undo(ctx))
			}
			page := api.Page[item]{Data: uploads.records}
			return api.Result{Record: page, Location: "/organization/" + c.Organization.String() + "/document"}, uploads.events, nil
		}}, nil
	})
}

// uploads stores the files of one request.
type uploads struct {
	suite
	call    *api.Call
	records []item
	events  []room.Event
	added   []messages.OfficeItem
}

func (u *uploads) run(ctx context.Context, command room.AddDocuments, files []api.File) error {
	folder := command.Parent
	for _, name := range command.Path {
		found, err := u.folder(ctx, folder, name)
		if err != nil {
			return err
		}
		folder = found
	}
	for i, content := range command.Files {
		if err := u.file(ctx, folder, command.OnConflict, content, files[i]); err != nil {
			return err
		}
	}
	return nil
}

// folder returns the folder with the name. A missing one is created.
func (u *uploads) folder(ctx context.Context, parent room.ItemID, name string) (room.ItemID, error) {
	found, err := u.Suite.Child(ctx, u.call.Organization, parent, name)
	if err == nil && !found.Folder {
		return found.ID, fault.Refuse(room.CodeNameTaken, "A document has the name "+name+". Choose another name for the folder.")
	}
	if !fault.Is(err, fault.NotFound) {
		return found.ID, err
	}
	made, err := u.Suite.CreateFolder(ctx, u.call.Organization, parent, name, u.call.Caller.User.String())
	if err == nil {
		u.added = append(u.added, made)
		u.events = append(
			u.events, room.FolderCreated{ID: made.ID, Name: made.Name, Parent: parent, Storage: room.OfficeSuite, Outside: outside(made)},
		)
	}
	return made.ID, err
}

func (u *uploads) file(ctx context.Context, folder room.ItemID, conflict room.OnConflict, content room.Content, sent api.File) error {
	known := false
	if conflict == room.NewVersion {
		_, err := u.Suite.Child(ctx, u.call.Organization, folder, content.Name)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		known = err == nil
	}
	stored, err := u.Suite.Upload(ctx, u.call.Organization, folder, messages.OfficeUpload{
		Name: content.Name, Open: sent.Open, Size: content.Size, OnConflict: conflict, Author: u.call.Caller.User.String(),
	})
	if err != nil {
		return err
	}
	file := room.FileID(u.NewID())
	u.events = append(u.events, room.FileStored{ID: file, Content: content, Storage: room.OfficeSuite})
	if known {
		u.events = append(u.events, room.Versioned{ID: stored.ID, File: file, Storage: room.OfficeSuite, Outside: outside(stored)})
	} else {
		u.added = append(u.added, stored)
		u.events = append(u.events, room.Added{
			ID: stored.ID, Name: stored.Name, Parent: folder, File: file, Source: room.Source{Kind: "upload"}, Storage: room.OfficeSuite,
			Outside: outside(stored),
		})
	}
	u.records = append(u.records, suiteItem(stored))
	return nil
}

// undo deletes the items that a failed request added, the last first.
func (u *uploads) undo(ctx context.Context) error {
	var failures []error
	for _, item := range slices.Backward(u.added) {
		item.Tag = "" // also if it changed
		failures = append(failures, u.Suite.Remove(ctx, u.call.Organization, item))
	}
	return errors.Join(failures...)
}
