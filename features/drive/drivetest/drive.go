package drivetest

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"equity/features/drive"
)

// Root is the id of the root folder.
const Root = "root"

// Drive is a drive of one user. It is safe for concurrent use.
type Drive struct {
	URL string

	mu       sync.Mutex
	files    map[string]*entry
	names    map[string]string // ids by folder and name
	log      []string          // ids of changed files in order
	next     int
	refresh  map[string]bool   // valid refresh tokens
	access   map[string]bool   // valid access tokens
	codes    map[string]string // challenges by code
	counts   map[string]int
	faults   Faults
	lifetime time.Duration
	held     chan struct{} // closed when calls may continue; nil if they need not wait
}

type entry struct {
	id, name, mediaType, parent string
	content                     string
	version                     int
	trashed, locked             bool
}

// Faults are the faults of a drive.
type Faults struct {
	// RateEvery refuses each such call with 403 rateLimitExceeded; never if it is 0. TooMany answers 429 with Retry-After in place of that.
	RateEvery int
	TooMany   bool
	// Unauthorized answers 401 to calls of the API.
	Unauthorized bool
	// ExpiredPage refuses page tokens of changes.
	ExpiredPage bool
	// LargeExport refuses exports.
	LargeExport bool
	// Redirect answers downloads with 302 and another address.
	Redirect bool
	// Broken ends the connections of downloads from the other address.
	Broken bool
	// Down answers 503 to calls of the API.
	Down bool
	// Page is the number of files in a page; 0 for the requested one.
	Page int
}

// New returns a drive that ends with the test.
func New(tb testing.TB) *Drive {
	tb.Helper()
	d, end := Start()
	tb.Cleanup(end)
	return d
}

// Start returns a drive, and a function that ends it.
func Start() (d *Drive, end func()) {
	d = newDrive()
	server := httptest.NewServer(d.routes())
	d.URL = server.URL
	return d, func() {
		server.CloseClientConnections()
		server.Close()
	}
}

func newDrive() *Drive {
	d := &Drive{
		files: map[string]*entry{}, refresh: map[string]bool{}, access: map[string]bool{}, codes: map[string]string{},
		counts:   map[string]int{},
		lifetime: time.Hour, names: map[string]string{},
	}
	d.files[Root] = &entry{id: Root, name: "My Drive", mediaType: "application/vnd.google-apps.folder", version: 1}
	return d
}

// App returns the settings of a program that uses the drive.
func (d *Drive) App() drive.App {
	return drive.App{
		ClientID: "client", ClientSecret: "secret of the client", RedirectURI: "https://equity.example/drive", LoginURL: d.URL + "/login",
		TokenURL: d.URL + "/token", URL: d.URL,
	}
}

// Break sets the faults.
func (d *Drive) Break(faults Faults) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = faults
}

// Calls returns the number of calls of the kind: list, changes, content, export, token or revoke.
func (d *Drive) Calls(kind string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts[kind]
}

// Put adds a file with the content to the folder, and returns its id. An existing one of the same name is replaced.
func (d *Drive) Put(folder, name, mediaType, content string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if found := d.files[d.names[folder+"/"+name]]; found != nil && found.parent == folder && found.name == name {
		found.content, found.mediaType = content, mediaType
		d.touch(found)
		return found.id
	}
	return d.add(folder, name, mediaType, content)
}

// Repeat adds a file, also if the folder has one with the name.
func (d *Drive) Repeat(folder, name, mediaType, content string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.add(folder, name, mediaType, content)
}

func (d *Drive) add(folder, name, mediaType, content string) string {
	d.next++
	added := &entry{id: "f" + strconv.Itoa(d.next), name: name, mediaType: mediaType, parent: folder, content: content}
	d.files[added.id], d.names[folder+"/"+name] = added, added.id
	d.touch(added)
	return added.id
}

// Folder adds a folder.
func (d *Drive) Folder(parent, name string) string {
	return d.Put(parent, name, "application/vnd.google-apps.folder", "")
}

// Trash moves the file to the trash.
func (d *Drive) Trash(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[id].trashed = true
	d.touch(d.files[id])
}

// Move moves the file to another folder.
func (d *Drive) Move(id, folder string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[id].parent = folder
	d.touch(d.files[id])
}

// Rename changes the name of the file.
func (d *Drive) Rename(id, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[id].name = name
	d.touch(d.files[id])
}

// Lock makes a file that the user may not download.
func (d *Drive) Lock(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[id].locked = true
	d.touch(d.files[id])
}

// touch records a change. The caller holds the lock.
func (d *Drive) touch(e *entry) {
	e.version++
	d.log = append(d.log, e.id)
}

// RevokeAll ends all tokens, as a user does in the account's settings.
func (d *Drive) RevokeAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.refresh)
	clear(d.access)
}

// ExpireAccess ends the access tokens. The refresh tokens stay valid.
func (d *Drive) ExpireAccess() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.access)
}

// Valid returns the number of valid refresh tokens.
func (d *Drive) Valid() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.refresh)
}

// Secrets returns the valid tokens.
func (d *Drive) Secrets() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Concat(slices.Collect(maps.Keys(d.refresh)), slices.Collect(maps.Keys(d.access)))
}

// Hold makes calls of the API wait until the returned function is called.
func (d *Drive) Hold() (release func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	held := make(chan struct{})
	d.held = held
	return sync.OnceFunc(func() { close(held) })
}

func (d *Drive) wait(ctx context.Context) {
	d.mu.Lock()
	held := d.held
	d.mu.Unlock()
	if held == nil {
		return
	}
	select {
	case <-held:
	case <-ctx.Done():
	}
}

// children returns the live files of the folder in the order of their names. The caller holds the lock.
func (d *Drive) children(folder string, foldersOnly bool) (found []*entry) {
	for _, e := range d.files {
		if e.parent == folder && !e.trashed && (!foldersOnly || e.isFolder()) {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b *entry) int { return slices.Compare([]byte(a.name), []byte(b.name)) })
	return found
}

func (e *entry) isFolder() bool { return e.mediaType == "application/vnd.google-apps.folder" }

func (e *entry) isNative() bool {
	const prefix = "application/vnd.google-apps."
	return len(e.mediaType) > len(prefix) && e.mediaType[:len(prefix)] == prefix
}

// json returns the resource of the API.
func (e *entry) json() map[string]any {
	made := map[string]any{
		"id": e.id, "name": e.name, "mimeType": e.mediaType, "parents": []string{e.parent}, "version": strconv.Itoa(e.version),
		"modifiedTime": "2026-03-01T09:30:00.000Z", "trashed": e.trashed, "capabilities": map[string]any{"canDownload": !e.locked},
	}
	if !e.isNative() {
		sum := md5.Sum([]byte(e.content))
		made["size"], made["md5Checksum"] = strconv.Itoa(len(e.content)), hex.EncodeToString(sum[:])
	}
	return made
}

func refuse(w http.ResponseWriter, status int, reason, location string) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(status)
	write(w, map[string]any{"error": map[string]any{
		"code": status, "message": reason,
		"errors": []any{map[string]any{"domain": "global", "reason": reason, "message": reason, "location": location}},
	}})
}
