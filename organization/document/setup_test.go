package document_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization/document"
)

// room is a data room with its clock and journal.
type room struct {
	testing.TB
	tree *document.Tree
	now  time.Time
	ids  uint64
	last uint64
	used map[document.FileID]string
	// limit is that of the storage; 0 is none.
	limit int64
}

func open(tb testing.TB) *room {
	tb.Helper()
	return &room{TB: tb, tree: document.NewTree(), now: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), used: map[document.FileID]string{}}
}

func (r *room) newID() (id [16]byte) {
	r.ids++
	binary.BigEndian.PutUint64(id[8:], r.ids)
	return id
}

func (r *room) references(id document.FileID) []string {
	if name := r.used[id]; name != "" {
		return []string{name}
	}
	return nil
}

// try decides the command and applies its events.
func (r *room) try(command document.Command) ([]document.Event, error) {
	r.Helper()
	events, err := document.Decide(r.tree, command, document.DecideContext{Now: r.now, NewID: r.newID, StorageLimit: r.limit, References: r.references})
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		r.last++
		r.tree.Apply(event, captable.Stamp{Sequence: r.last, At: captable.InstantOf(r.now), By: "tester"})
	}
	return events, nil
}

func (r *room) do(command document.Command) []document.Event {
	r.Helper()
	events, err := r.try(command)
	if err != nil {
		r.Fatalf("%+v: %v", command, err)
	}
	return events
}

// refused checks that the command is refused with the code, and with these fields as "/pointer code".
func (r *room) refused(command document.Command, code fault.Code, fields ...string) {
	r.Helper()
	_, err := r.try(command)
	refusal, ok := errors.AsType[*fault.Error](err)
	if !ok || refusal.Code != code {
		r.Fatalf("%+v: got %v, want %s", command, err, code)
	}
	var got []string
	for _, field := range refusal.Fields {
		got = append(got, field.Pointer+" "+field.Code)
	}
	if fmt.Sprint(got) != fmt.Sprint(fields) {
		r.Errorf("%+v: got %v, want %v", command, got, fields)
	}
}

// folder creates a folder and returns its id.
func (r *room) folder(parent document.ItemID, name string) document.ItemID {
	r.Helper()
	created, _ := r.do(document.CreateFolder{Name: name, Parent: parent})[0].(document.FolderCreated)
	return created.ID
}

// content describes a file whose hash depends on its text.
func content(name, text string) document.Content {
	return document.Content{Name: name, MediaType: "text/plain", Size: int64(len(text)), SHA256: fmt.Sprintf("%-64s", text), Scan: document.ScanNone}
}

// upload adds a document and returns its id.
func (r *room) upload(parent document.ItemID, name, text string) document.ItemID {
	r.Helper()
	events := r.do(document.AddDocuments{Parent: parent, Files: []document.Content{content(name, text)}, OnConflict: document.RefuseName})
	added, _ := events[len(events)-1].(document.Added)
	return added.ID
}

// list returns the names in a folder, folders with a slash.
func (r *room) list(folder document.ItemID) string {
	var names []string
	for item := range r.tree.Children(folder) {
		names = append(names, item.Name+map[document.Type]string{document.Folder: "/"}[item.Type])
	}
	return strings.Join(names, " ")
}

func (r *room) item(id document.ItemID) *document.Item {
	r.Helper()
	item, ok := r.tree.Item(id)
	if !ok {
		r.Fatalf("no item %s", id)
	}
	return item
}

func equal[T comparable](tb testing.TB, name string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", name, got, want)
	}
}
