package document

import (
	"iter"
	"strings"

	"equity/captable"
	"equity/fault"
)

// FileID identifies a stored file.
type FileID = captable.ID[File]

// Scan is the state of the virus scan of a file.
type Scan string

// The states of a scan.
const (
	ScanNone     Scan = "none" // no scanner is configured
	ScanPending  Scan = "pending"
	ScanClean    Scan = "clean"
	ScanInfected Scan = "infected"
	ScanFailed   Scan = "failed" // is repeated
)

// Content describes the bytes of a file. They are immutable.
type Content struct {
	Name      string `json:"name"`
	MediaType string `json:"mediaType"`
	Size      int64  `json:"size"`
	// SHA256 is the hash of the bytes in hexadecimal digits. It is also their address in the store.
	SHA256 string `json:"sha256"`
	Scan   Scan   `json:"scan"`
}

// IsPicture reports whether every browser shows the bytes as an image that cannot contain code.
func (c Content) IsPicture() bool {
	switch c.MediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

// File is a stored file.
type File struct {
	ID FileID `json:"id"`
	Content
	CreatedBy string `json:"createdBy"`
	// ErasedAt is the time of the erasure of the bytes; zero if they are stored.
	ErasedAt captable.Instant `json:"erasedAt,omitzero"`
	captable.Meta
}

// FileStored records a file. Its bytes are durable before the event.
type FileStored struct {
	ID FileID `json:"id"`
	Content
	// Record reports that the file belongs to a record outside of the data room, and not to a document.
	Record  bool    `json:"record,omitempty"`
	Storage Storage `json:"storage,omitempty"`
}

// EventType returns the event's name in the journal.
func (FileStored) EventType() string { return "fileStored" }

// Creates returns the file.
func (e FileStored) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: kindFile}}
}

// Records returns the file.
func (e FileStored) Records(t *Tree) []any { return t.fileRecord(e.ID) }

// FileScanned records the result of a scan.
type FileScanned struct {
	ID   FileID `json:"id"`
	Scan Scan   `json:"scan"`
}

// EventType returns the event's name in the journal.
func (FileScanned) EventType() string { return "fileScanned" }

// Creates returns nil.
func (FileScanned) Creates() []captable.Created { return nil }

// Records returns the file.
func (e FileScanned) Records(t *Tree) []any { return t.fileRecord(e.ID) }

// FileErased records that the bytes of a file are erased. Other files with the same bytes keep them.
type FileErased struct {
	ID     FileID `json:"id"`
	Reason string `json:"reason"`
}

// EventType returns the event's name in the journal.
func (FileErased) EventType() string { return "fileErased" }

// Creates returns nil.
func (FileErased) Creates() []captable.Created { return nil }

// Records returns the file.
func (e FileErased) Records(t *Tree) []any { return t.fileRecord(e.ID) }

// StoreFile records a file outside of the data room, such as a logo or the document of a plan.
type StoreFile struct{ Content }

// RecordScan records the result of a scan.
type RecordScan struct {
	ID   FileID
	Scan Scan
}

// EraseFile erases the bytes of a file at once.
type EraseFile struct {
	ID     FileID `json:"-"`
	Reason string `json:"reason"`
}

func (c StoreFile) decide(_ *Tree, m DecideContext) ([]Event, error) {
	content, err := c.checked("/file")
	if err != nil {
		return nil, err
	}
	return []Event{FileStored{ID: m.NewID(), Content: content, Record: true}}, nil
}

// decide ignores a repeated result.
func (c RecordScan) decide(t *Tree, _ DecideContext) ([]Event, error) {
	file, err := t.file(c.ID)
	if err != nil || file.Scan == c.Scan {
		return nil, err
	}
	return []Event{FileScanned(c)}, nil
}

func (c EraseFile) decide(t *Tree, m DecideContext) ([]Event, error) {
	file, err := t.file(c.ID)
	if err != nil {
		return nil, err
	}
	reason := strings.TrimSpace(c.Reason)
	if reason == "" {
		return nil, fault.InvalidField("/reason", "required", "reason is required.")
	}
	if file.ErasedAt != 0 {
		return nil, fault.Refuse(CodeErased, "The content of the file was erased already.")
	}
	if used := m.References(c.ID); len(used) > 0 {
		return nil, fault.Refuse(fault.InUse, "Other records use the file: "+strings.Join(used, ", ")+". Remove it from them first.")
	}
	return []Event{FileErased{ID: c.ID, Reason: reason}}, nil
}

// checked returns the content with its normalized name.
func (c Content) checked(pointer string) (Content, error) {
	name, err := cleanName(c.Name, pointer)
	if err != nil {
		return Content{}, err
	}
	c.Name = name
	if len(c.SHA256) != 64 || c.Size < 0 {
		return Content{}, fault.InvalidField(pointer, "format",
			"The file must have a SHA-256 hash of 64 digits and a size of at least 0 bytes.")
	}
	return c, nil
}

func (t *Tree) file(id FileID) (*File, error) {
	if file, ok := t.files.Get(id); ok {
		return file, nil
	}
	return nil, fault.Refuse(fault.NotFound, "The file does not exist.")
}

func (t *Tree) fileRecord(id FileID) []any {
	if file, ok := t.files.Get(id); ok {
		return []any{file}
	}
	return nil
}

// File returns the file with the id.
func (t *Tree) File(id FileID) (*File, bool) { return t.files.Get(id) }

// Files returns all files in the order of their ids.
func (t *Tree) Files() iter.Seq[*File] { return t.files.All() }

// HasFailedScans reports whether the scan of a file with bytes failed.
func (t *Tree) HasFailedScans() bool { return t.failed > 0 }

// Stores reports whether a file with these bytes is stored. The sweeper keeps them.
func (t *Tree) Stores(sha256 string) bool {
	_, stored := t.hashes.Get(sha256)
	return stored
}

func (e FileStored) apply(t *Tree, stamp captable.Stamp) {
	t.setFile(&File{ID: e.ID, Content: e.Content, CreatedBy: stamp.By, Meta: captable.NewMeta(stamp)})
}

func (e FileScanned) apply(t *Tree, stamp captable.Stamp) {
	t.changeFile(e.ID, stamp, func(f *File) { f.Scan = e.Scan })
}

func (e FileErased) apply(t *Tree, stamp captable.Stamp) {
	t.changeFile(e.ID, stamp, func(f *File) { f.ErasedAt = stamp.At })
}

func (t *Tree) changeFile(id FileID, stamp captable.Stamp, change func(*File)) {
	old, ok := t.files.Get(id)
	if !ok {
		return
	}
	next := *old
	change(&next)
	next.Touch(stamp)
	t.setFile(&next)
}
