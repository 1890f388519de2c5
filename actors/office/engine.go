package office

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// Items maps items of the office suite to our ids.
type Items interface {
	// ByID returns the entry of our id, or an error with code resourceNotFound.
	ByID(ctx context.Context, in organization.ID, id document.ItemID) (messages.OfficeEntry, error)
	// Known returns the entries of the items of the office suite that the organization has, by their keys there.
	Known(ctx context.Context, in organization.ID, keys []string) (map[string]messages.OfficeEntry, error)
	// Add stores entries that are not known yet.
	Add(ctx context.Context, in organization.ID, entries []messages.OfficeEntry) error
	// Remove deletes the entry of a deleted item.
	Remove(ctx context.Context, in organization.ID, id document.ItemID) error
}

// Engine keeps the documents of organizations in the office suite. Each organization has the folder equity/<organization> of the drive. An
// item outside of it does not exist for the organization. It is safe for concurrent use.
type Engine struct {
	client *Client
	items  Items
	newID  func() [16]byte
	roots  sync.Map // the keys of the folders of organizations
}

// NewEngine returns an Engine. NewID returns a new UUID of version 7.
func NewEngine(client *Client, items Items, newID func() [16]byte) *Engine {
	return &Engine{client: client, items: items, newID: newID}
}

// baseFolder contains the folders of the organizations.
const baseFolder = "equity"

// CheckName refuses a name that the office suite does not accept.
func (*Engine) CheckName(name string) error { return CheckName(name) }

// root returns the key of the folder of the organization, which is created on the first use.
func (e *Engine) root(ctx context.Context, in organization.ID) (string, error) {
	stored, _ := e.roots.Load(in)
	if key, ok := stored.(string); ok {
		return key, nil
	}
	drive, err := e.client.Root(ctx)
	if err != nil {
		return "", err
	}
	base, err := e.client.EnsureFolder(ctx, drive.ID, baseFolder)
	if err != nil {
		return "", err
	}
	own, err := e.client.EnsureFolder(ctx, base.ID, in.String())
	if err == nil {
		e.roots.Store(in, own.ID)
	}
	return own.ID, err
}

// inRoot calls do with the folder of the organization. If the folder was deleted, it is created again once.
func (e *Engine) inRoot(ctx context.Context, in organization.ID, do func(key string) error) error {
	key, err := e.root(ctx, in)
	if err != nil {
		return err
	}
	if err = do(key); !errors.Is(err, ErrNotFound) {
		return err
	}
	e.roots.Delete(in)
	if key, err = e.root(ctx, in); err != nil {
		return err
	}
	return do(key)
}

// within calls do with the key of a folder; the zero id is the folder of the organization.
func (e *Engine) within(ctx context.Context, in organization.ID, folder document.ItemID, do func(key string) error) error {
	if folder.IsZero() {
		return refusal(e.inRoot(ctx, in, do))
	}
	found, err := e.Item(ctx, in, folder)
	if err != nil {
		return err
	}
	if !found.Folder {
		return fault.InvalidField("/parentFolder", "notFolder", "parentFolder must be a folder.")
	}
	return refusal(do(found.Key))
}

// Item returns the item with the id, or an error with code resourceNotFound.
func (e *Engine) Item(ctx context.Context, in organization.ID, id document.ItemID) (messages.OfficeItem, error) {
	entry, err := e.items.ByID(ctx, in, id)
	if err != nil {
		return messages.OfficeItem{}, err
	}
	found, err := e.client.Item(ctx, entry.Key)
	if err != nil {
		return messages.OfficeItem{}, refusal(err)
	}
	if !belongs(found, in) {
		return messages.OfficeItem{}, refusal(ErrNotFound)
	}
	items, err := e.named(ctx, in, []Item{found}, "")
	if err != nil {
		return messages.OfficeItem{}, err
	}
	return items[0], nil
}

// belongs reports whether the item is below the folder of the organization.
func belongs(item Item, in organization.ID) bool {
	folder := folderOf(in)
	return isRoot(item.ParentPath, in) || len(item.ParentPath) > len(folder) && item.ParentPath[len(folder)] == '/' &&
		isRoot(item.ParentPath[:len(folder)], in)
}

// isRoot reports whether the path is that of the folder of the organization. The office suite compares names without regard to case.
func isRoot(path string, in organization.ID) bool { return strings.EqualFold(path, folderOf(in)) }

func folderOf(in organization.ID) string { return "/" + baseFolder + "/" + in.String() }

// named returns items with our ids. New ones get an id and the author.
func (e *Engine) named(ctx context.Context, in organization.ID, found []Item, author string) ([]messages.OfficeItem, error) {
	var keys []string
	for _, each := range found {
		keys = append(keys, each.ID)
		if !isRoot(each.ParentPath, in) {
			keys = append(keys, each.ParentID)
		}
	}
	slices.Sort(keys)
	known, err := e.entries(ctx, in, slices.Compact(keys), author)
	if err != nil {
		return nil, err
	}
	items := make([]messages.OfficeItem, 0, len(found))
	for _, each := range found {
		entry := known[each.ID]
		item := messages.OfficeItem{
			ID: entry.ID, Key: each.ID, Name: each.Name, Folder: each.Folder, Size: each.Size, MediaType: each.MediaType,
			SHA256: each.SHA256,
			Tag:    each.ETag, Version: versionOf(each.ETag), Infected: each.MalwareDetected, CreatedBy: entry.CreatedBy,
			CreatedAt: each.CreatedAt, UpdatedAt: each.ModifiedAt,
		}
		if !isRoot(each.ParentPath, in) {
			item.Parent = known[each.ParentID].ID
		}
		items = append(items, item)
	}
	return items, nil
}

// entries returns the entries of the keys. Missing ones are added.
func (e *Engine) entries(ctx context.Context, in organization.ID, keys []string, author string) (map[string]messages.OfficeEntry, error) {
	known, err := e.items.Known(ctx, in, keys)
	if err != nil || len(known) == len(keys) {
		return known, err
	}
	var added []messages.OfficeEntry
	for _, key := range keys {
		if _, ok := known[key]; !ok {
			added = append(added, messages.OfficeEntry{ID: document.ItemID(e.newID()), Key: key, CreatedBy: author})
		}
	}
	if err := e.items.Add(ctx, in, added); err != nil {
		return nil, err
	}
	return e.items.Known(ctx, in, keys) // another caller may have added an item before
}

// versionOf returns the number at the end of an entity tag such as "{…},3".
func versionOf(tag string) uint64 {
	_, number, _ := strings.Cut(strings.Trim(tag, `"`), ",")
	version, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return 0
	}
	return version
}

// List returns the items of a folder. The zero id is the folder of the organization.
func (e *Engine) List(ctx context.Context, in organization.ID, folder document.ItemID) ([]messages.OfficeItem, error) {
	var found []Item
	err := e.within(ctx, in, folder, func(key string) error {
		found = nil
		return e.client.Children(ctx, key, func(item Item) error {
			found = append(found, item)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return e.named(ctx, in, found, "")
}

// Child returns the item with the name in the folder, or an error with code resourceNotFound.
func (e *Engine) Child(ctx context.Context, in organization.ID, folder document.ItemID, name string) (messages.OfficeItem, error) {
	return e.one(ctx, in, folder, "", func(key string) (Item, error) { return e.client.Child(ctx, key, name) })
}

// one returns the item that do finds or makes in the folder.
func (e *Engine) one(
	ctx context.Context, in organization.ID, folder document.ItemID, author string, do func(key string) (Item, error),
) (messages.OfficeItem, error) {
	var made Item
	err := e.within(ctx, in, folder, func(key string) (err error) {
		made, err = do(key)
		return err
	})
	if err != nil {
		return messages.OfficeItem{}, err
	}
	items, err := e.named(ctx, in, []Item{made}, author)
	if err != nil {
		return messages.OfficeItem{}, err
	}
	return items[0], nil
}

// Upload stores a new document, and returns it. It refuses a name that the folder has, unless onConflict is version or rename.
func (e *Engine) Upload(
	ctx context.Context, in organization.ID, folder document.ItemID, file messages.OfficeUpload,
) (messages.OfficeItem, error) {
	conflict := map[document.OnConflict]Conflict{document.NewVersion: Replace, document.Rename: Rename}[file.OnConflict]
	return e.one(ctx, in, folder, file.Author, func(key string) (Item, error) {
		return e.client.Upload(ctx, key, file.Name, cmp.Or(conflict, Fail), file.Open(), file.Size)
	})
}

// CreateFolder creates a folder.
func (e *Engine) CreateFolder(
	ctx context.Context, in organization.ID, parent document.ItemID, name, author string,
) (messages.OfficeItem, error) {
	return e.one(ctx, in, parent, author, func(key string) (Item, error) { return e.client.CreateFolder(ctx, key, name) })
}

// Move changes the name and the folder of an item that has not changed since it was read. Nil values stay.
func (e *Engine) Move(
	ctx context.Context, in organization.ID, item messages.OfficeItem, name *string, parent *document.ItemID,
) (messages.OfficeItem, error) {
	var change Move
	if name != nil {
		change.Name = *name
	}
	if parent == nil {
		moved, err := e.client.Move(ctx, item.Key, item.Tag, change)
		if err != nil {
			return messages.OfficeItem{}, refusal(err)
		}
		items, err := e.named(ctx, in, []Item{moved}, "")
		if err != nil {
			return messages.OfficeItem{}, err
		}
		return items[0], nil
	}
	return e.one(ctx, in, *parent, "", func(key string) (Item, error) {
		change.Parent = key
		return e.client.Move(ctx, item.Key, item.Tag, change)
	})
}

// Remove moves an item that has not changed since it was read to the recycle bin of the office suite.
func (e *Engine) Remove(ctx context.Context, in organization.ID, item messages.OfficeItem) error {
	if err := e.client.Delete(ctx, item.Key, item.Tag); err != nil {
		return refusal(err)
	}
	return e.items.Remove(ctx, in, item.ID)
}

// Open returns the content of a document. Rng is the value of a Range header, or empty.
func (e *Engine) Open(ctx context.Context, item messages.OfficeItem, rng string) (messages.OfficeContent, error) {
	content, err := e.client.Open(ctx, item.Key, rng)
	return messages.OfficeContent{Body: content.Body, Size: content.Size, Range: content.Range}, refusal(err)
}

// Preview returns an address at which a browser shows the document for some minutes.
func (e *Engine) Preview(ctx context.Context, item messages.OfficeItem) (string, error) {
	address, err := e.client.Preview(ctx, item.Key)
	return address, refusal(err)
}

// refusal returns an error of the client as the refusal of the request.
func refusal(err error) error {
	for own, refused := range map[error]*fault.Error{
		ErrNotFound: fault.Refuse(fault.NotFound, "The document does not exist."),
		ErrExists: fault.Refuse(document.CodeNameTaken,
			"The folder has another item with this name. Choose another name, or rename that item."),
		ErrChanged: fault.StaleRecord(),
		ErrRange:   fault.Refuse(document.CodeRange, "The range must begin before the end of the content."),
		ErrMalware: fault.Refuse(document.CodeInfected, "The office suite found malware in the file. Upload a clean file instead."),
	} {
		if errors.Is(err, own) {
			return &fault.FailureError{Refusal: refused, Cause: err}
		}
	}
	return err
}
