package document

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	room "equity/organization/document"
)

// ProfileFiles stores the records of the files of profiles.
type ProfileFiles interface {
	// Admits refuses another file of a profile that has the maximum number, unless the request was answered before.
	Admits(ctx context.Context, once messages.Once, entity captable.EntityID) error
	// Add stores the record of a file whose bytes are durable, and makes it the photo of the profile on request.
	Add(
		ctx context.Context, once messages.Once, file messages.ProfileFile, photo bool,
	) (stored messages.ProfileFile, replayed bool, err error)
	// ByID returns the record of a file, or an error with code resourceNotFound.
	ByID(ctx context.Context, id room.FileID) (messages.ProfileFile, error)
	// Remove deletes the record of a file, and the photo that it is.
	Remove(ctx context.Context, file messages.ProfileFile, now time.Time) error
	// IsPhoto reports whether the file is the photo of its profile.
	IsPhoto(ctx context.Context, file messages.ProfileFile) (bool, error)
}

// Scanner examines contents.
type Scanner interface {
	// Scan returns the name of the malware in the content; empty for a clean content.
	Scan(ctx context.Context, content io.Reader) (malware string, err error)
}

const mediaPDF = "application/pdf"

// profileScope returns the scope of the bytes of a profile.
func profileScope(entity captable.EntityID) string { return "p/" + entity.String() }

// uploadToProfile stores one file of a profile.
func (s files) uploadToProfile(ctx context.Context, c *api.Call) (api.Answer, error) {
	content, err := s.single(c)
	if err != nil {
		return api.Answer{}, err
	}
	photo := c.Query("photo") == "true"
	if content.MediaType, err = profileType(c.Files[0], photo); err != nil {
		return api.Answer{}, err
	}
	entity := c.Subject.Entity
	if err := s.Profiles.Admits(ctx, c.Once(), entity); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "admit file of a profile", err))
	}
	if content.Scan, err = s.scanned(ctx, c.Files[0]); err != nil {
		return api.Answer{}, err
	}
	if err := s.store(ctx, c, profileScope(entity)); err != nil {
		return api.Answer{}, err
	}
	at := captable.InstantOf(c.At)
	stored, replayed, err := s.Profiles.Add(ctx, c.Once(), messages.ProfileFile{Entity: entity, File: room.File{
		ID: room.FileID(s.NewID()), Content: content, CreatedBy: c.Caller.User.String(), Meta: captable.Meta{CreatedAt: at, UpdatedAt: at},
	}}, photo)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "add file of a profile", err))
	}
	answer := api.Created(stored, "/file/"+stored.ID.String()+"/content", "")
	answer.Replayed = replayed
	return answer, nil
}

// profileType returns the media type of the first bytes, or refuses it.
func profileType(sent api.File, photo bool) (string, error) {
	kind := detected(sent)
	picture := room.Content{MediaType: kind}.IsPicture()
	switch {
	case !picture && kind != mediaPDF:
		return "", fault.Refuse(room.CodeExtension, "The file must be a PNG, JPEG, GIF, WebP or PDF file.")
	case photo && !picture:
		return "", fault.Refuse(room.CodeExtension, "The photo must be a PNG, JPEG, GIF or WebP file.")
	}
	return kind, nil
}

// scanned returns the state of the scan of a file, which is made at once. An infected file is refused.
func (s files) scanned(ctx context.Context, sent api.File) (room.Scan, error) {
	if s.Scanner == nil {
		return room.ScanNone, nil
	}
	malware, err := s.Scanner.Scan(ctx, sent.Open())
	switch {
	case err != nil:
		return "", api.Unavailable(fmt.Errorf("scan a file of a profile: %w", err))
	case malware != "":
		return "", fault.Refuse(room.CodeInfected, "The virus scan found malware in the file. Upload a clean file instead.")
	}
	return room.ScanClean, nil
}

// profileFile returns the file of the path if the caller may read it. The photo is visible with the profile. Other files are private.
func (s files) profileFile(ctx context.Context, c *api.Call) (messages.ProfileFile, error) {
	found, err := s.Profiles.ByID(ctx, api.PathID[room.File](c, "file"))
	if err != nil {
		return found, api.Unavailable(api.Wrap(ctx, "read file of a profile", err))
	}
	if api.MayUpdateSubject(c) {
		return found, nil
	}
	photo, err := s.Profiles.IsPhoto(ctx, found)
	if err == nil && !photo {
		err = api.NotFound()
	}
	return found, api.Unavailable(err)
}

// profileContent returns the bytes of a file of a profile.
func (s files) profileContent(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.profileFile(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.serve(ctx, c, reading{
		scope: profileScope(found.Entity), file: &found.File, name: found.Name, access: room.Access{Mode: room.Inherit, Download: true},
	})
}

// eraseProfileFile deletes a file of a profile. The sweeper deletes its bytes.
func (s files) eraseProfileFile(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.profileFile(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if tag := c.Header("If-Match"); tag != "" && tag != `"`+found.SHA256+`"` {
		return api.Answer{}, fault.StaleRecord()
	}
	if c.DryRun() {
		return s.Preview(c, messages.Reply{}, found), nil
	}
	if err := s.Profiles.Remove(ctx, found, c.At); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "remove file of a profile", err))
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}
