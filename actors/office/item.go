package office

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Item is a file or a folder of the drive.
type Item struct {
	ID, Name string
	// ETag changes with each change of the item.
	ETag string
	// ParentID is the folder; empty for the root.
	ParentID string
	// ParentPath is the path of the folder from the root, such as /Legal/2026; empty for an item of the root.
	ParentPath string
	DriveID    string
	Folder     bool
	// Size is the number of bytes, for a folder of all its files.
	Size int64
	// MediaType is empty for a folder.
	MediaType string
	// SHA256 is the hash of the content in lower case; empty if the office suite has none.
	SHA256                string
	CreatedAt, ModifiedAt time.Time
	// MalwareDetected reports that the content cannot be downloaded.
	MalwareDetected bool
}

// resource is an item of the API.
type resource struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	ETag   string `json:"eTag"`
	Size   int64  `json:"size"`
	Parent struct {
		ID      string `json:"id"`
		DriveID string `json:"driveId"`
		Path    string `json:"path"`
	} `json:"parentReference"`
	File *struct {
		MediaType string `json:"mimeType"`
		Hashes    struct {
			SHA256 string `json:"sha256Hash"`
		} `json:"hashes"`
	} `json:"file"`
	Folder     *struct{} `json:"folder"`
	Remote     *struct{} `json:"remoteItem"`
	Malware    *struct{} `json:"malware"`
	CreatedAt  time.Time `json:"createdDateTime"`
	ModifiedAt time.Time `json:"lastModifiedDateTime"`
}

// parentPath returns the path after the root of a drive. Characters of names are encoded as in a URL.
func parentPath(path string) string {
	_, below, _ := strings.Cut(path, "root:")
	decoded, err := url.PathUnescape(below)
	if err != nil {
		return below
	}
	return decoded
}

// selected are the requested properties of an item.
const selected = "$select=id,name,size,file,folder,parentReference,eTag,createdDateTime,lastModifiedDateTime,malware,remoteItem"

// read returns the item. It refuses shortcuts to other drives, and packages, which are neither files nor folders.
func (c *Client) read(r *resource) (Item, error) {
	switch {
	case r.ID == "":
		return Item{}, errAnswer
	case r.Remote != nil, r.Parent.DriveID != "" && r.Parent.DriveID != c.drive, r.File == nil && r.Folder == nil:
		return Item{}, errForeign
	}
	read := Item{
		ID: r.ID, Name: r.Name, ETag: r.ETag, ParentID: r.Parent.ID, ParentPath: parentPath(r.Parent.Path), DriveID: c.drive,
		Folder: r.Folder != nil, Size: r.Size,
		CreatedAt: r.CreatedAt, ModifiedAt: r.ModifiedAt, MalwareDetected: r.Malware != nil,
	}
	if r.File != nil {
		read.MediaType = r.File.MediaType
		if hash, err := hex.DecodeString(r.File.Hashes.SHA256); err == nil && len(hash) == sha256.Size {
			read.SHA256 = hex.EncodeToString(hash)
		}
	}
	return read, nil
}

// one makes a call that returns an item.
func (c *Client) one(ctx context.Context, operation, method, address, eTag string, body any) (Item, error) {
	var found resource
	if err := c.exchange(ctx, operation, method, address, eTag, body, &found); err != nil {
		return Item{}, err
	}
	item, err := c.read(&found)
	if err != nil {
		return Item{}, c.failure(ctx, operation, err)
	}
	return item, nil
}

// Root returns the root folder of the drive.
func (c *Client) Root(ctx context.Context) (Item, error) {
	return c.one(ctx, "read root", http.MethodGet, c.root+"/root?"+selected, "", nil)
}

// Item returns the item with the id, or [ErrNotFound].
func (c *Client) Item(ctx context.Context, id string) (Item, error) {
	address, err := c.item(id)
	if err != nil {
		return Item{}, err
	}
	return c.one(ctx, "read item", http.MethodGet, address+"?"+selected, "", nil)
}

// Child returns the item with the name in the folder, or [ErrNotFound]. Names are compared without regard to case.
func (c *Client) Child(ctx context.Context, parent, name string) (Item, error) {
	if CheckName(name) != nil {
		return Item{}, ErrNotFound
	}
	address, err := c.named(parent, name)
	if err != nil {
		return Item{}, err
	}
	return c.one(ctx, "read item by name", http.MethodGet, address+"?"+selected, "", nil)
}

// mostPages bounds a listing, which has at most 200 items in a page.
const mostPages = 500

// Children visits the items of the folder. Items of other drives are left out. An error of visit ends the listing and is returned.
func (c *Client) Children(ctx context.Context, parent string, visit func(Item) error) error {
	const operation = "list folder"
	address, err := c.item(parent)
	if err != nil {
		return err
	}
	address += "/children?$top=200&" + selected
	for range mostPages {
		var page struct {
			Items []resource `json:"value"`
			Next  string     `json:"@odata.nextLink"`
		}
		if err := c.exchange(ctx, operation, http.MethodGet, address, "", nil, &page); err != nil {
			return err
		}
		if page.Items == nil {
			return c.failure(ctx, operation, errAnswer)
		}
		for i := range page.Items {
			item, err := c.read(&page.Items[i])
			switch {
			case errors.Is(err, errForeign):
				continue
			case err != nil:
				return c.failure(ctx, operation, err)
			}
			if err := visit(item); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return nil
		}
		if !c.isOwn(page.Next) {
			return c.failure(ctx, operation, errAddress)
		}
		address = page.Next
	}
	return ErrTooMany
}

// isOwn reports whether the address is one of the API, to which the token may be sent.
func (c *Client) isOwn(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && parsed.Scheme == c.api.Scheme && strings.EqualFold(parsed.Host, c.api.Host) && parsed.User == nil
}

// CreateFolder creates a folder, or returns [ErrExists].
func (c *Client) CreateFolder(ctx context.Context, parent, name string) (Item, error) {
	if err := CheckName(name); err != nil {
		return Item{}, err
	}
	address, err := c.item(parent)
	if err != nil {
		return Item{}, err
	}
	return c.one(ctx, "create folder", http.MethodPost, address+"/children", "", map[string]any{
		"name": name, "folder": map[string]any{}, "@microsoft.graph.conflictBehavior": "fail",
	})
}

// EnsureFolder returns the folder with the name, which is created if it does not exist. A file with the name is [ErrExists].
func (c *Client) EnsureFolder(ctx context.Context, parent, name string) (Item, error) {
	for first := true; ; first = false {
		created, err := c.CreateFolder(ctx, parent, name)
		if !errors.Is(err, ErrExists) {
			return created, err
		}
		found, foundErr := c.Child(ctx, parent, name)
		switch {
		case foundErr == nil && found.Folder:
			return found, nil
		case foundErr == nil, !first && errors.Is(foundErr, ErrNotFound):
			return Item{}, err
		case !errors.Is(foundErr, ErrNotFound): // otherwise it was deleted between the two calls
			return Item{}, foundErr
		}
	}
}

// Move is a change of the name and the folder of an item. Empty values do not change.
type Move struct{ Name, Parent string }

// Move changes the name and the folder of an item. If the entity tag is not empty and the item has another one, it returns [ErrChanged].
func (c *Client) Move(ctx context.Context, id, eTag string, change Move) (Item, error) {
	body := map[string]any{}
	if change.Name != "" {
		if err := CheckName(change.Name); err != nil {
			return Item{}, err
		}
		body["name"] = change.Name
	}
	if change.Parent != "" {
		body["parentReference"] = map[string]any{"id": change.Parent}
	}
	address, err := c.item(id)
	if err != nil {
		return Item{}, err
	}
	return c.one(ctx, "move item", http.MethodPatch, address, eTag, body)
}

// Delete moves an item to the recycle bin of the office suite. It succeeds if the item does not exist. If the entity tag is not empty
// and the item has another one, it returns [ErrChanged].
func (c *Client) Delete(ctx context.Context, id, eTag string) error {
	address, err := c.item(id)
	if err != nil {
		return err
	}
	if err := c.exchange(ctx, "delete item", http.MethodDelete, address, eTag, nil, nil); !errors.Is(err, ErrNotFound) {
		return err
	}
	return nil
}

// Preview returns an address at which a browser shows the document for some minutes. It contains a secret.
func (c *Client) Preview(ctx context.Context, id string) (string, error) {
	const operation = "preview item"
	address, err := c.item(id)
	if err != nil {
		return "", err
	}
	var preview struct {
		URL string `json:"getUrl"`
	}
	if err := c.exchange(ctx, operation, http.MethodPost, address+"/preview", "", map[string]any{}, &preview); err != nil {
		return "", err
	}
	if parsed, err := url.Parse(preview.URL); err != nil || !c.isForeignPermitted(parsed) {
		return "", c.failure(ctx, operation, errAddress)
	}
	return preview.URL, nil
}

// isForeignPermitted reports whether the office suite may name the address of another host: it has to be as secure as the API.
func (c *Client) isForeignPermitted(address *url.URL) bool {
	return address.Host != "" && address.User == nil && (address.Scheme == "https" || address.Scheme == c.api.Scheme)
}
