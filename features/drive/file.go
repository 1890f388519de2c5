package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The media types of objects that have no bytes.
const (
	typeFolder   = "application/vnd.google-apps.folder"
	typeShortcut = "application/vnd.google-apps.shortcut"
	nativePrefix = "application/vnd.google-apps."
)

// File is a file or a folder of the drive.
type File struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	MediaType string    `json:"mimeType"`
	Parents   []string  `json:"parents"`
	Size      int64     `json:"size,string"`
	Hash      string    `json:"md5Checksum"` // empty for native documents
	Version   string    `json:"version"`
	Changed   time.Time `json:"modifiedTime"`
	Trashed   bool      `json:"trashed"`
	Rights    struct {
		Download bool `json:"canDownload"`
	} `json:"capabilities"`
}

// IsFolder reports whether the file is a folder.
func (f *File) IsFolder() bool { return f.MediaType == typeFolder }

// Format is the form in which a document is copied.
type Format struct {
	// Extension is added to the name; empty for files with bytes.
	Extension string
	MediaType string
	exported  bool
}

// Format returns the form in which the document is copied, or false for folders, shortcuts, forms and other objects without one.
func (f *File) Format() (Format, bool) {
	const office = "application/vnd.openxmlformats-officedocument."
	if !strings.HasPrefix(f.MediaType, nativePrefix) {
		return Format{MediaType: f.MediaType}, true
	}
	switch strings.TrimPrefix(f.MediaType, nativePrefix) {
	case "document":
		return Format{".docx", office + "wordprocessingml.document", true}, true
	case "spreadsheet":
		return Format{".xlsx", office + "spreadsheetml.sheet", true}, true
	case "presentation":
		return Format{".pptx", office + "presentationml.presentation", true}, true
	case "drawing":
		return Format{".pdf", "application/pdf", true}, true
	}
	return Format{}, false
}

// Fingerprint identifies the content: it changes with the bytes of a file, and with the version of a native document.
func (f *File) Fingerprint() string {
	if f.Hash != "" {
		return f.Hash
	}
	return "v" + f.Version
}

// fields are the requested fields of a file.
const fields = "id,name,mimeType,parents,size,md5Checksum,version,modifiedTime,trashed,capabilities/canDownload"

// The largest pages of the provider: of files, and of drives of groups.
const (
	pageSize      = 1000
	drivePageSize = 100
)

// sized returns the size of a page: the wanted one, or the largest for 0.
func sized(wanted, largest int) string {
	if wanted == 0 {
		return strconv.Itoa(largest)
	}
	return strconv.Itoa(min(wanted, largest))
}

// shared returns the parameters that include shared drives.
func shared() url.Values {
	return url.Values{"supportsAllDrives": {"true"}, "includeItemsFromAllDrives": {"true"}, "pageSize": {sized(0, pageSize)}}
}

// Children returns a page of the objects in a folder, and the token of the next page, which is empty at the end.
func (c *Client) Children(ctx context.Context, token Token, folder, page string) ([]File, string, error) {
	return c.list(ctx, token, "'"+escaped(folder)+"' in parents and trashed=false", page, 0)
}

// Folders returns a page of the folders in a folder, with at most size folders; 0 for the largest page.
func (c *Client) Folders(ctx context.Context, token Token, folder, page string, size int) ([]File, string, error) {
	return c.list(ctx, token, "'"+escaped(folder)+"' in parents and trashed=false and mimeType='"+typeFolder+"'", page, size)
}

// escaped returns the text for a query of the provider.
func escaped(text string) string { return strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) }

func (c *Client) list(ctx context.Context, token Token, filter, page string, size int) ([]File, string, error) {
	query := shared()
	query.Set("pageSize", sized(size, pageSize))
	query.Set("q", filter)
	query.Set("fields", "nextPageToken,files("+fields+")")
	query.Set("orderBy", "name")
	if page != "" {
		query.Set("pageToken", page)
	}
	var found struct {
		Files []File `json:"files"`
		Next  string `json:"nextPageToken"`
	}
	err := c.get(ctx, token, "/files", query, &found)
	if err == nil && (found.Files == nil || slices.ContainsFunc(found.Files, func(f File) bool { return f.ID == "" })) {
		err = errIncomplete
	}
	return found.Files, found.Next, err
}

// File returns the file or folder with the id, or [ErrNotFound].
func (c *Client) File(ctx context.Context, token Token, id string) (File, error) {
	var found File
	err := c.get(ctx, token, "/files/"+url.PathEscape(id), url.Values{"fields": {fields}, "supportsAllDrives": {"true"}}, &found)
	if err == nil && found.ID == "" {
		err = errIncomplete
	}
	return found, err
}

// SharedDrive is a drive of a group.
type SharedDrive struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// SharedDrives returns a page of the drives of groups, with at most size drives; 0 for the largest page.
func (c *Client) SharedDrives(ctx context.Context, token Token, page string, size int) ([]SharedDrive, string, error) {
	query := url.Values{"pageSize": {sized(size, drivePageSize)}, "fields": {"nextPageToken,drives(id,name)"}}
	if page != "" {
		query.Set("pageToken", page)
	}
	var found struct {
		Drives []SharedDrive `json:"drives"`
		Next   string        `json:"nextPageToken"`
	}
	err := c.get(ctx, token, "/drives", query, &found)
	if err == nil && (found.Drives == nil || slices.ContainsFunc(found.Drives, func(d SharedDrive) bool { return d.ID == "" })) {
		err = errIncomplete
	}
	return found.Drives, found.Next, err
}

// Account returns the address of the connected user.
func (c *Client) Account(ctx context.Context, token Token) (string, error) {
	var about struct {
		User *struct {
			Email string `json:"emailAddress"` // may be missing
		} `json:"user"`
	}
	err := c.get(ctx, token, "/about", url.Values{"fields": {"user"}}, &about)
	if err != nil {
		return "", err
	}
	if about.User == nil {
		return "", errIncomplete
	}
	return about.User.Email, nil
}

// Change is a change of a file.
type Change struct {
	FileID  string `json:"fileId"`
	Removed bool   `json:"removed"`
	File    *File  `json:"file"` // nil for a removed file
}

// Start returns the token for the changes from now on.
func (c *Client) Start(ctx context.Context, token Token) (string, error) {
	var start struct {
		Token string `json:"startPageToken"`
	}
	err := c.get(ctx, token, "/changes/startPageToken", url.Values{"supportsAllDrives": {"true"}}, &start)
	if err == nil && start.Token == "" {
		err = errIncomplete
	}
	return start.Token, err
}

// Changes returns a page of changes after the page token. Next is the token of the next page, and Start that of later changes after
// the last page.
func (c *Client) Changes(ctx context.Context, token Token, page string) (changes []Change, next, start string, err error) {
	query := shared()
	query.Set("pageToken", page)
	query.Set("includeRemoved", "true")
	query.Set("fields", "nextPageToken,newStartPageToken,changes(fileId,removed,file("+fields+"))")
	var found struct {
		Changes []Change `json:"changes"`
		Next    string   `json:"nextPageToken"`
		Start   string   `json:"newStartPageToken"`
	}
	err = c.get(ctx, token, "/changes", query, &found)
	incomplete := found.Changes == nil || found.Next == "" && found.Start == "" ||
		slices.ContainsFunc(found.Changes, func(one Change) bool { return one.File != nil && one.File.ID == "" })
	if err == nil && incomplete {
		err = errIncomplete
	}
	return found.Changes, found.Next, found.Start, err
}

// Content returns the bytes of a document in its format. The caller closes them; the context must live until then.
func (c *Client) Content(ctx context.Context, token Token, file *File) (io.ReadCloser, error) {
	format, copied := file.Format()
	if !copied {
		return nil, ErrNotFound
	}
	path, query := "/files/"+url.PathEscape(file.ID), url.Values{"alt": {"media"}, "supportsAllDrives": {"true"}}
	if format.exported {
		path, query = path+"/export", url.Values{"mimeType": {format.MediaType}}
	}
	answer, err := c.request(ctx, token, path, query)
	if redirected, is := errors.AsType[*redirect](err); is {
		return c.follow(ctx, redirected.to)
	}
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// redirect is an answer that names another address for the bytes.
type redirect struct{ to string }

func (*redirect) Error() string { return "the drive names another address" }

// follow reads the bytes at another address, without the token.
func (c *Client) follow(ctx context.Context, address string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errStatus
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("drive: download: %w", withoutAddress(err))
	}
	if answer.StatusCode != http.StatusOK {
		_ = answer.Body.Close()
		return nil, c.problem(answer)
	}
	return answer.Body, nil
}

// withoutAddress removes the address, which is signed, from the text of the error.
func withoutAddress(err error) error {
	if failed, is := errors.AsType[*url.Error](err); is {
		return failed.Err
	}
	return err
}
