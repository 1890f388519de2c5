package document

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
)

// Suite keeps documents of organizations in the office suite. The zero id of a folder is the folder of the organization.
type Suite interface {
	SuiteReader
	SuiteWriter
}

// SuiteReader reads documents of the office suite.
type SuiteReader interface {
	// List returns the items of a folder.
	List(ctx context.Context, in organization.ID, folder room.ItemID) ([]messages.OfficeItem, error)
	// Item and Child return an item by its id and by its name, or an error with code resourceNotFound.
	Item(ctx context.Context, in organization.ID, id room.ItemID) (messages.OfficeItem, error)
	Child(ctx context.Context, in organization.ID, folder room.ItemID, name string) (messages.OfficeItem, error)
	// Open returns the content of a document. Rng is the value of a Range header, or empty.
	Open(ctx context.Context, item messages.OfficeItem, rng string) (messages.OfficeContent, error)
	// Preview returns an address at which a browser shows the document for some minutes.
	Preview(ctx context.Context, item messages.OfficeItem) (string, error)
}

// SuiteWriter changes documents of the office suite.
type SuiteWriter interface {
	// CheckName refuses a name that the office suite does not accept.
	CheckName(name string) error
	// Upload stores a document.
	Upload(ctx context.Context, in organization.ID, folder room.ItemID, file messages.OfficeUpload) (messages.OfficeItem, error)
	// CreateFolder creates a folder.
	CreateFolder(ctx context.Context, in organization.ID, parent room.ItemID, name, author string) (messages.OfficeItem, error)
	// Move changes the name and the folder of an item that has not changed since it was read. Nil values stay.
	Move(ctx context.Context, in organization.ID, item messages.OfficeItem, name *string, parent *room.ItemID) (messages.OfficeItem, error)
	// Remove deletes an item that has not changed since it was read.
	Remove(ctx context.Context, in organization.ID, item messages.OfficeItem) error
}

// suite is the storage of the documents in the office suite.
type suite struct{ *base }

// available refuses requests if the operator has configured no office suite.
func (s suite) available() error {
	if s.Suite == nil {
		return api.Unavailable(errNoSuite)
	}
	return nil
}

var errNoSuite = errors.New("the organization stores its documents in the office suite, which is not configured (OFFICE_SUITE_*)")

// outside returns the item of the office suite as an event describes it.
func outside(found messages.OfficeItem) *room.Outside {
	described := &room.Outside{
		ID: found.ID, Type: room.Folder, Name: found.Name, Parent: found.Parent, CreatedBy: cmp.Or(found.CreatedBy, "system:officeSuite"),
		CreatedAt: captable.InstantOf(found.CreatedAt), UpdatedAt: captable.InstantOf(found.UpdatedAt), Version: found.Version,
	}
	if !found.Folder {
		described.Type, described.Size, described.MediaType, described.SHA256 = room.Document, found.Size, found.MediaType, found.SHA256
	}
	return described
}

// showOutside returns the JSON form of an item of the office suite.
func showOutside(found *room.Outside) item {
	record := item{
		ID: found.ID, Name: found.Name, Type: found.Type, Created: found.CreatedAt, UpdatedAt: found.UpdatedAt,
		Access: room.Access{Mode: room.Inherit, Download: true}, CreatedBy: found.CreatedBy, Version: found.Version,
	}
	if !found.Parent.IsZero() {
		record.ParentFolder = &found.Parent
	}
	if found.Type == room.Document {
		record.Size, record.MediaType, record.SHA256, record.Scan = &found.Size, found.MediaType, found.SHA256, room.ScanNone
	}
	return record
}

// suiteItem returns the JSON form of an item of the office suite.
func suiteItem(found messages.OfficeItem) item {
	record := showOutside(outside(found))
	if found.Infected {
		record.Scan = room.ScanInfected
	}
	return record
}

// list returns the items of a folder or of all folders, folders first.
func (s suite) list(ctx context.Context, c *api.Call) (api.Answer, error) {
	if err := s.available(); err != nil {
		return api.Answer{}, err
	}
	if c.Query("search") != "" {
		return api.Answer{}, notInSuite()
	}
	if c.Query("deleted") == "true" {
		return api.ReadContent(c, []item{}, 0)
	}
	folder, err := queryFolder(c)
	if err != nil {
		return api.Answer{}, err
	}
	if !c.Can(organization.ViewDocuments) {
		return api.ReadContent(c, []item{}, 0)
	}
	found, err := s.items(ctx, c.Organization, folder, c.Query("parentFolder") == "")
	if err != nil {
		return api.Answer{}, err
	}
	slices.SortFunc(found, func(a, b messages.OfficeItem) int {
		if a.Folder != b.Folder {
			if a.Folder {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	records := make([]item, 0, len(found))
	for _, each := range found {
		records = append(records, suiteItem(each))
	}
	return api.ReadContent(c, records, 0)
}

// mostSuiteFolders bounds the folders that one request reads, each with a call to the suite.
const mostSuiteFolders = 100

// items returns the items of the folder, and those of the folders below it if all are wanted.
func (s suite) items(ctx context.Context, in organization.ID, folder room.ItemID, all bool) (found []messages.OfficeItem, err error) {
	read := 0
	for folders := []room.ItemID{folder}; len(folders) > 0; folders = folders[1:] {
		inside, err := s.Suite.List(ctx, in, folders[0])
		if err != nil {
			return nil, err
		}
		found = append(found, inside...)
		for i := range inside {
			if all && inside[i].Folder {
				folders = append(folders, inside[i].ID)
			}
		}
		if read++; read+len(folders)-1 > mostSuiteFolders {
			return nil, api.WrongField(
				"/query/parentFolder", "tooMany", "The office suite has more than 100 folders. List one folder with parentFolder.",
			)
		}
	}
	return found, nil
}

// named returns the item of the path, and checks the If-Match header. Items are unknown to callers without viewDocuments.
func (s suite) named(ctx context.Context, c *api.Call) (messages.OfficeItem, error) {
	if err := s.available(); err != nil {
		return messages.OfficeItem{}, err
	}
	if !c.Can(organization.ViewDocuments) {
		return messages.OfficeItem{}, api.NotFound()
	}
	found, err := s.Suite.Item(ctx, c.Organization, api.PathID[room.Item](c, "document"))
	if err != nil {
		return found, err
	}
	expected, err := c.Expected()
	if err == nil && expected != nil && *expected != found.Version {
		err = fault.StaleRecord()
	}
	return found, err
}

// plan is a change of the office suite.
type plan struct {
	// events are the expected events. A dry run shows them.
	events []room.Event
	// carryOut makes the change, and returns its result and its events.
	carryOut func(ctx context.Context) (api.Result, []room.Event, error)
}

// changed carries out a change of the office suite and records it. A dry run changes nothing. The plan is made within the repetition of a
// request, because it depends on the present items.
func (s suite) changed(
	ctx context.Context, c *api.Call, status int, prepare func(ctx context.Context) (plan, error),
) (api.Answer, error) {
	if err := s.available(); err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		planned, err := prepare(ctx)
		if err != nil {
			return api.Answer{}, err
		}
		reply, err := s.Decide(ctx, c, organization.Room{Command: room.RecordOutside{Changes: planned.events}}, nil)
		if err != nil {
			return api.Answer{}, err
		}
		return s.Preview(c, reply), nil
	}
	return api.AnswerOnce(ctx, s.Answers, c, func(ctx context.Context) (api.Answer, error) {
		planned, err := prepare(ctx)
		if err != nil {
			return api.Answer{}, err
		}
		result, events, err := planned.carryOut(ctx)
		if err != nil {
			return api.Answer{}, err
		}
		if _, err := s.Decide(ctx, c, organization.Room{Command: room.RecordOutside{Changes: events}}, nil); err != nil {
			return api.Answer{}, err
		}
		answer := api.Answer{Status: status, Record: result.Record, Location: result.Location}
		if result.Version > 0 {
			answer.ETag = `"` + strconv.FormatUint(result.Version, 10) + `"`
		}
		return answer, nil
	})
}

func (s suite) createFolder(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[room.CreateFolder](c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.changed(ctx, c, http.StatusCreated, func(context.Context) (plan, error) {
		event := room.FolderCreated{ID: room.ItemID(s.NewID()), Name: command.Name, Parent: command.Parent, Storage: room.OfficeSuite}
		return plan{[]room.Event{event}, func(ctx context.Context) (api.Result, []room.Event, error) {
			made, err := s.Suite.CreateFolder(ctx, c.Organization, command.Parent, command.Name, c.Caller.User.String())
			event.ID, event.Outside = made.ID, outside(made)
			return api.Result{Record: suiteItem(made), Location: location(c, made.ID), Version: made.Version}, []room.Event{event}, err
		}}, s.Suite.CheckName(command.Name)
	})
}

func (s suite) move(ctx context.Context, c *api.Call) (api.Answer, error) {
	target, err := moveOf(c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.changed(ctx, c, http.StatusOK, func(ctx context.Context) (plan, error) {
		found, err := s.named(ctx, c)
		if err != nil {
			return plan{}, err
		}
		event := room.Moved{ID: found.ID, Name: found.Name, Parent: found.Parent, Storage: room.OfficeSuite}
		if target.Name != nil {
			event.Name = *target.Name
		}
		if target.Parent != nil {
			event.Parent = *target.Parent
		}
		return plan{[]room.Event{event}, func(ctx context.Context) (api.Result, []room.Event, error) {
			moved, err := s.Suite.Move(ctx, c.Organization, found, target.Name, target.Parent)
			event.Outside = outside(moved)
			return api.Result{Record: suiteItem(moved), Version: moved.Version}, []room.Event{event}, err
		}}, s.Suite.CheckName(event.Name)
	})
}

func (s suite) remove(ctx context.Context, c *api.Call) (api.Answer, error) {
	if err := mayDelete(c); err != nil {
		return api.Answer{}, err
	}
	return s.changed(ctx, c, http.StatusNoContent, func(ctx context.Context) (plan, error) {
		found, err := s.named(ctx, c)
		events := []room.Event{room.Deleted{ID: found.ID, Storage: room.OfficeSuite, Outside: outside(found)}}
		return plan{events, func(ctx context.Context) (api.Result, []room.Event, error) {
			return api.Result{}, events, s.Suite.Remove(ctx, c.Organization, found)
		}}, err
	})
}

// preview returns the address of a preview. It is a reading in the view log.
func (s suite) preview(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.document(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.recordSuite(ctx, c, found, true, 0); err != nil {
		return api.Answer{}, err
	}
	address, err := s.Suite.Preview(ctx, found)
	if err != nil {
		return api.Answer{}, err
	}
	return s.previewed(c, address)
}

// document returns the document of the path with a content that may be read.
func (s suite) document(ctx context.Context, c *api.Call) (messages.OfficeItem, error) {
	found, err := s.named(ctx, c)
	switch {
	case err != nil:
		return found, err
	case found.Folder:
		return found, isFolder()
	case found.Infected:
		return found, fault.Refuse(room.CodeInfected, "The office suite found malware in the file. Upload a clean file instead.")
	case c.Query("versionNumber") != "":
		return found, fault.Refuse(room.CodeNotInSuite,
			"The office suite keeps the earlier versions. Open them there, or leave out versionNumber.")
	}
	return found, nil
}

func (s suite) recordSuite(ctx context.Context, c *api.Call, found messages.OfficeItem, inline bool, bytes int64) error {
	view := messages.DocumentView{Document: found.ID, User: c.Caller.User, Version: int(min(found.Version, math.MaxInt32))}
	return s.record(ctx, c, reading{organization: c.Organization, view: view}, inline, bytes)
}

// content streams the content of a document through.
func (s suite) content(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.document(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	kind := mime.TypeByExtension(path.Ext(found.Name))
	if kind == "" {
		kind = cmp.Or(found.MediaType, "application/octet-stream")
	}
	plain, _, err := mime.ParseMediaType(kind)
	inline := c.Path("name") != "" && err == nil && slices.Contains(displayed(), plain)
	answer := api.Answer{
		ContentType: kind, FileName: cmp.Or(c.Path("name"), found.Name), Inline: inline, Policy: sandbox, ETag: contentTag(found),
	}
	if c.Unchanged(answer.ETag) {
		return api.NotModified(answer.ETag), s.recordSuite(ctx, c, found, inline, 0)
	}
	rng := c.Header("Range")
	if condition := c.Header("If-Range"); condition != "" && condition != answer.ETag || strings.Contains(rng, ",") {
		rng = ""
	}
	content, err := s.Suite.Open(ctx, found, rng)
	if err != nil {
		return api.Answer{}, err
	}
	answer.OnDone(func() { _ = content.Body.Close() })
	answer.Headers = map[string]string{"Accept-Ranges": "bytes"}
	if content.Range != "" {
		answer.Status, answer.Headers["Content-Range"] = http.StatusPartialContent, content.Range
	}
	if content.Size >= 0 {
		answer.Headers["Content-Length"] = strconv.FormatInt(content.Size, 10)
	}
	answer.Stream = func(w io.Writer) error {
		if _, err := io.Copy(w, content.Body); err != nil {
			return fmt.Errorf("read a document of the office suite: %w", err)
		}
		return nil
	}
	if err := s.recordSuite(ctx, c, found, inline, max(content.Size, 0)); err != nil {
		_ = content.Body.Close()
		return api.Answer{}, err
	}
	return answer, nil
}

// contentTag returns the ETag of a content: its hash, or else a hash of the tag of the office suite.
func contentTag(found messages.OfficeItem) string {
	if found.SHA256 != "" {
		return `"` + found.SHA256 + `"`
	}
	hash := sha256.Sum256([]byte(found.Key + " " + found.Tag))
	return `"` + hex.EncodeToString(hash[:]) + `"`
}
