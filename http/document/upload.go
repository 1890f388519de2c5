package document

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/organization"
	room "equity/organization/document"
)

const (
	fileField = "file"
	mostFiles = 20
)

// upload stores the files of a form in a folder: all of them or none.
func (s documents) upload(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := s.form(c)
	if err == nil {
		err = s.mayFill(c, command.Parent)
	}
	if err != nil {
		return api.Answer{}, err
	}
	release, err := s.admitStorage(ctx, c, command.Files...)
	if err != nil {
		return api.Answer{}, err
	}
	defer release()
	if !c.DryRun() {
		if err := s.store(ctx, c, scopeOf(c.Organization)); err != nil {
			return api.Answer{}, err
		}
	}
	return api.ChangeOrganization(ctx, s.Kernel, c, organization.RoomCommand(command), nil, func(added []*room.Item) api.Result {
		page := api.Page[item]{Data: []item{}}
		for _, each := range added {
			page.Data = append(page.Data, show(c.View.State.Documents(), each))
		}
		return api.Result{Record: page, Location: "/organization/" + c.Organization.String() + "/document"}
	})
}

// form returns the command of an upload with its files.
func (s *base) form(c *api.Call) (room.AddDocuments, error) {
	command, err := s.uploadTo(c)
	if err != nil {
		return command, err
	}
	for _, sent := range c.Files {
		if sent.Field != fileField {
			continue
		}
		content, err := s.check(sent, s.Settings.DocumentLimit)
		if err != nil {
			return command, err
		}
		command.Files = append(command.Files, content)
	}
	if len(command.Files) > mostFiles {
		return command, api.WrongField("/file", "maxItems", "An upload has at most 20 files.")
	}
	if len(command.Files) == 0 {
		return command, fault.Refuse(fault.MissingFile, "The form has no file. Send at least one file.")
	}
	return command, nil
}

// uploadTo returns the command of an upload without its files.
func (s *base) uploadTo(c *api.Call) (room.AddDocuments, error) {
	command := room.AddDocuments{OnConflict: room.NewVersion, Source: room.Source{Kind: "upload"}}
	var faults fault.Fields
	for _, sent := range c.Files {
		if sent.Field == fileField {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(sent.Content, 8<<10))
		if err != nil {
			return command, fmt.Errorf("read the field %s: %w", sent.Field, err)
		}
		switch value := string(text); sent.Field {
		case "parentFolder":
			if value == "" || value == rootFolder {
				continue
			}
			id, err := captable.ParseID[room.Item](value)
			if err != nil {
				faults.Add("/parentFolder", "format", "parentFolder must be the id of a folder, or root.")
			}
			command.Parent = id
		case "path":
			command.Path = slices.DeleteFunc(strings.Split(value, "/"), func(name string) bool { return name == "" })
		case "onConflict":
			command.OnConflict = room.OnConflict(value)
			if !slices.Contains([]room.OnConflict{room.NewVersion, room.Rename, room.RefuseName}, command.OnConflict) {
				faults.Add("/onConflict", "enum", "onConflict must be version, rename or refuse.")
			}
		}
	}
	if err := faults.Err(); err != nil {
		return command, err
	}
	return command, nil
}

// check describes a file of a form, or refuses it.
func (s *base) check(sent api.File, limit int64) (room.Content, error) {
	name := path.Base(strings.ReplaceAll(sent.Name, `\`, "/"))
	extension := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	switch {
	case sent.Name == "":
		return room.Content{}, fault.Refuse(fault.MissingFile, "Send a file with a name in the field file.")
	case sent.Content.Size() > limit:
		return room.Content{}, fault.Refuse(fault.TooLarge, fmt.Sprintf("The file is larger than %d MB.", limit>>20))
	case len(s.Settings.Extensions) > 0 && !slices.Contains(s.Settings.Extensions, extension):
		return room.Content{}, fault.Refuse(
			room.CodeExtension, "Files with this extension are not accepted. Permitted: "+strings.Join(s.Settings.Extensions, ", ")+".",
		)
	}
	return room.Content{
		Name: name, MediaType: mediaType(name, sent), Size: sent.Content.Size(), SHA256: sent.SHA256, Scan: s.Settings.Scan,
	}, nil
}

// mediaType returns the type of the extension, or else that of the first bytes.
func mediaType(name string, sent api.File) string {
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return detected(sent)
}

// detected returns the media type of the first bytes.
func detected(sent api.File) string {
	head := make([]byte, 512) //nolint:mnd // the number that DetectContentType considers
	n, _ := io.ReadFull(sent.Open(), head)
	return http.DetectContentType(head[:n])
}

// store stores the bytes of the files durably, before their event.
func (s *base) store(ctx context.Context, c *api.Call, scope string) error {
	for _, sent := range c.Files {
		if sent.Field != fileField {
			continue
		}
		if err := s.Objects.Put(ctx, key(scope, sent.SHA256), sent.Open(), sent.Content.Size()); err != nil {
			return api.NotStored(fmt.Errorf("store a file: %w", err))
		}
	}
	return nil
}

// scopeOf returns the scope of the bytes of an organization.
func scopeOf(id organization.ID) string { return "o/" + id.String() }

// key returns the key of bytes within a scope.
func key(scope, sha256 string) string { return scope + "/" + sha256[:2] + "/" + sha256 }
