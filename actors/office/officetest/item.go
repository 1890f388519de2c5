package officetest

import (
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"mime"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Root is the id of the root folder.
const Root = "01BYE5RZ56Y2GOVW7725BZO354PWSELRRZ"

// entry is an item of the drive.
type entry struct {
	id, name, parent, mediaType, content     string
	folder, deleted, infected, locked, other bool
	version                                  int
	created, modified                        time.Time
}

// items are the items of the drive. The server holds its lock for them.
type items struct {
	entries map[string]*entry
	next    int
	// sha256 adds the hash that only some drives have.
	sha256 bool
}

// Put adds a file with the content to the folder, and returns its id. An existing one of the same name gets the content.
func (s *Server) Put(folder, name, content string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.child(folder, name); found != nil {
		found.content = content
		s.touch(found)
		return found.id
	}
	return s.add(&entry{name: name, parent: folder, content: content}).id
}

// Find returns the id of the item at the path from the root; empty if it does not exist.
func (s *Server) Find(path ...string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := Root
	for _, name := range path {
		found := s.child(id, name)
		if found == nil {
			return ""
		}
		id = found.id
	}
	return id
}

// Folder adds a folder, and returns its id.
func (s *Server) Folder(parent, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(&entry{name: name, parent: parent, folder: true}).id
}

// Shortcut adds a link to an item of another drive, and returns its id.
func (s *Server) Shortcut(parent, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(&entry{name: name, parent: parent, other: true}).id
}

// Move changes the folder and the name of an item.
func (s *Server) Move(id, folder, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[id].parent, s.entries[id].name = folder, name
	s.touch(s.entries[id])
}

// pathOf returns the encoded path of a folder; empty for the root.
func (i *items) pathOf(id string) string {
	folder := i.entries[id]
	if folder == nil || id == Root {
		return ""
	}
	return i.pathOf(folder.parent) + "/" + url.PathEscape(folder.name)
}

// Delete moves an item to the recycle bin.
func (s *Server) Delete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[id].deleted = true
}

// Restore returns an item from the recycle bin.
func (s *Server) Restore(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[id].deleted = false
	s.touch(s.entries[id])
}

// Infect marks the content of a file as malware, which cannot be downloaded.
func (s *Server) Infect(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[id].infected = true
	s.touch(s.entries[id])
}

// Lock locks an item against changes by others, as an open document is.
func (s *Server) Lock(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[id].locked = true
}

// ETag returns the entity tag of an item.
func (s *Server) ETag(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries[id].eTag()
}

// add stores an entry.
func (i *items) add(e *entry) *entry {
	i.next++
	sum := sha1.Sum([]byte(strconv.Itoa(i.next)))
	e.id = "01BYE5RZ" + base32.StdEncoding.EncodeToString(sum[:])[:26]
	if !e.folder {
		e.mediaType = "application/octet-stream"
		if known, _, err := mime.ParseMediaType(mime.TypeByExtension(path.Ext(e.name))); err == nil {
			e.mediaType = known
		}
	}
	i.entries[e.id] = e
	i.touch(e)
	e.created = e.modified
	return e
}

// touch records a change.
func (i *items) touch(e *entry) {
	e.version++
	i.next++
	e.modified = time.Date(2026, 3, 1, 9, 30, i.next, 0, time.UTC)
}

// live returns the item with the id unless it, or a folder above it, is deleted; nil without one.
func (i *items) live(id string) *entry {
	found := i.entries[id]
	for at := found; at != nil; at = i.entries[at.parent] {
		if at.deleted {
			return nil
		}
	}
	return found
}

// child returns the live item with the name in the folder; nil without one.
func (i *items) child(folder, name string) *entry {
	for _, e := range i.children(folder) {
		if strings.EqualFold(e.name, name) {
			return e
		}
	}
	return nil
}

// children returns the live items of the folder in the order of their names.
func (i *items) children(folder string) (found []*entry) {
	for _, e := range i.entries {
		if e.parent == folder && !e.deleted {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b *entry) int { return cmp.Compare(a.name, b.name) })
	return found
}

// isWithin reports whether the folder is the item or below it.
func (i *items) isWithin(folder, item string) bool {
	for at := i.entries[folder]; at != nil; at = i.entries[at.parent] {
		if at.id == item {
			return true
		}
	}
	return false
}

// size returns the number of bytes of the item and of the items below it.
func (i *items) size(e *entry) int {
	total := len(e.content)
	for _, child := range i.children(e.id) {
		total += i.size(child)
	}
	return total
}

func (e *entry) guid() string {
	sum := sha256.Sum256([]byte(e.id))
	hash := strings.ToUpper(hex.EncodeToString(sum[:16]))
	return fmt.Sprintf("%s-%s-%s-%s-%s", hash[:8], hash[8:12], hash[12:16], hash[16:20], hash[20:])
}

func (e *entry) eTag() string { return fmt.Sprintf("\"{%s},%d\"", e.guid(), e.version) }

// json returns the resource of the API with the selected properties, or with all if the selection is empty.
func (i *items) json(e *entry, selection string) map[string]any {
	made := map[string]any{
		"@odata.etag": e.eTag(), "id": e.id, "name": e.name, "eTag": e.eTag(), "cTag": fmt.Sprintf("\"c:{%s},%d\"", e.guid(), e.version),
		"createdDateTime": e.created.Format(time.RFC3339), "lastModifiedDateTime": e.modified.Format(time.RFC3339), "size": i.size(e),
		"webUrl":    "https://contoso.sharepoint.com/Shared%20Documents/" + e.guid(),
		"createdBy": map[string]any{"application": map[string]any{"id": ClientID, "displayName": "Equity"}},
		"fileSystemInfo": map[string]any{
			"createdDateTime": e.created.Format(time.RFC3339), "lastModifiedDateTime": e.modified.Format(time.RFC3339),
		},
	}
	reference := map[string]any{"driveType": "documentLibrary", "driveId": DriveID}
	if e.id == Root {
		made["root"] = map[string]any{}
	} else {
		reference["id"], reference["path"] = e.parent, "/drives/"+DriveID+"/root:"+i.pathOf(e.parent)
	}
	made["parentReference"] = reference
	switch {
	case e.other:
		made["remoteItem"] = map[string]any{
			"id": "01REMOTE", "name": e.name, "folder": map[string]any{"childCount": 0},
			"parentReference": map[string]any{"driveId": foreignDrive},
		}
	case e.folder:
		made["folder"] = map[string]any{"childCount": len(i.children(e.id))}
	default:
		made["file"] = map[string]any{"mimeType": e.mediaType, "hashes": i.hashes(e)}
	}
	if e.infected {
		made["malware"] = map[string]any{"description": "Virus:DOS/EICAR_Test_File"}
	}
	if selection != "" {
		wanted := strings.Split(selection, ",")
		for name := range made {
			if !slices.Contains(wanted, name) && name != "@odata.etag" {
				delete(made, name)
			}
		}
	}
	return made
}

func (i *items) hashes(e *entry) map[string]any {
	quick := sha1.Sum([]byte(e.content)) // has the length of a quickXorHash
	hashes := map[string]any{"quickXorHash": base64.StdEncoding.EncodeToString(quick[:])}
	if i.sha256 {
		sum := sha256.Sum256([]byte(e.content))
		hashes["sha256Hash"] = strings.ToUpper(hex.EncodeToString(sum[:]))
	}
	return hashes
}
