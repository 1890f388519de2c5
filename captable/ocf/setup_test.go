package ocf_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
)

// shared returns the folder with the format's schemas and sample packages.
func shared(tb testing.TB) string {
	tb.Helper()
	if folder := os.Getenv("SHARED"); folder != "" {
		return folder
	}
	folder, err := os.Getwd()
	for ; err == nil; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		if folder == filepath.Dir(folder) {
			tb.Fatal("there is no go.mod above the tests")
		}
	}
	folder = filepath.Join(folder, "..", "shared")
	if _, err := os.Stat(filepath.Join(folder, "ocf")); err != nil {
		tb.Fatalf("the format's schemas and samples are wanted in %s, or where SHARED says: %v", folder, err)
	}
	return folder
}

func sample(tb testing.TB, name string) fs.FS {
	tb.Helper()
	return os.DirFS(filepath.Join(shared(tb), "ocf", "packages", name))
}

// world is a cap table with its holders and an exporter of its journal.
type world struct {
	testing.TB
	state       *captable.State
	exporter    *ocf.Exporter
	holders     map[captable.EntityID]string
	particulars map[captable.EntityID]map[string]json.RawMessage
	now         time.Time
	ids         uint64
	sequence    uint64
	decoders    map[string]func([]byte) (captable.Event, error)
	reached     map[string]int // the numbers of events by type, if not nil
}

func setup(tb testing.TB) *world {
	tb.Helper()
	w := &world{
		TB: tb, state: captable.NewState(), exporter: ocf.NewExporter(), holders: map[captable.EntityID]string{},
		particulars: map[captable.EntityID]map[string]json.RawMessage{},
		now:         time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC), decoders: captable.Decoders(),
	}
	w.exporter.Issuer(ocf.Issuer{ID: "our-company", LegalName: "Ours Ltd", Jurisdiction: "GB", Currency: "USD"})
	return w
}

func (w *world) newID() (id [16]byte) {
	w.ids++
	binary.BigEndian.PutUint64(id[:], w.ids)
	id[15] = 0x77
	return id
}

// Holder returns a named holder.
func (w *world) Holder(ref captable.HolderRef) (captable.Holder, bool) {
	name, known := w.holders[ref.Entity]
	return captable.Holder{Entity: ref.Entity, Member: captable.MemberID(ref.Entity), Name: name}, known
}

func (w *world) person(name string) captable.EntityID {
	entity := captable.EntityID(w.newID())
	w.holders[entity] = name
	w.exporter.Holder(ocf.Holder{Entity: entity, Name: name, Kind: "individual"}, nil)
	return entity
}

func (w *world) moment() captable.DecideContext {
	return captable.DecideContext{Now: w.now, NewID: w.newID, Register: w, Currency: "USD"}
}

func (w *world) decide(command captable.Command) ([]captable.Event, error) {
	events, err := captable.Decide(w.state, command, w.moment())
	w.record(events...)
	return events, err
}

// record applies events and passes them to the exporter after a JSON round trip, as a journal
// would.
func (w *world) record(events ...captable.Event) {
	for _, event := range events {
		w.sequence++
		stamp := captable.Stamp{Sequence: w.sequence, At: captable.InstantOf(w.now), By: "tester"}
		payload, err := json.Marshal(event)
		if err != nil {
			panic(err)
		}
		again, err := w.decoders[event.EventType()](payload)
		if err != nil {
			panic(err)
		}
		w.state.Apply(event, stamp)
		w.exporter.Apply(again, stamp)
		if w.reached != nil {
			w.reached[event.EventType()]++
		}
	}
}

func (w *world) do(command captable.Command) []captable.Event {
	w.Helper()
	events, err := w.decide(command)
	if err != nil {
		w.Fatalf("%T: %v", command, err)
	}
	return events
}

// take imports a package as an organization would, and returns all findings.
func (w *world) take(fsys fs.FS) ocf.Findings {
	w.Helper()
	p, findings := ocf.Read(fsys)
	p.Prepare(w.newID)
	for _, particular := range p.Particulars() {
		if w.particulars[particular.Entity] == nil {
			w.particulars[particular.Entity] = map[string]json.RawMessage{}
		}
		w.particulars[particular.Entity][particular.Field] = particular.Value
	}
	w.record(captable.PackageImported{Version: p.Version, Manifest: p.Manifest, Issuer: p.Issuer.Raw, Objects: p.Objects})
	entities := map[string]captable.EntityID{}
	for _, s := range p.Stakeholders {
		entities[s.ID], w.holders[s.Entity] = s.Entity, s.Name
		source := s.Source
		w.exporter.Holder(ocf.Holder{
			Entity: s.Entity, ExternalID: s.ID, Name: s.Name, Kind: s.Kind, Relationship: s.Relationship, Comments: s.Comments,
		}, &source)
	}
	draft := &draft{world: w, state: w.state.Copy()}
	findings = append(findings, p.Enter(entities, draft)...)
	if findings.Refused() {
		return findings
	}
	w.record(draft.events...)
	for _, source := range p.Carried {
		w.record(captable.ObjectCarried{Source: source})
	}
	return findings
}

// draft is a world during an import.
type draft struct {
	*world

	state  *captable.State
	events []captable.Event
}

func (d *draft) Decide(command captable.Command) ([]captable.Event, error) {
	events, err := captable.Decide(d.state, command, d.moment())
	for _, event := range events {
		d.state.Apply(event, captable.Stamp{})
	}
	d.events = append(d.events, events...)
	return events, err
}

func (d *draft) Mark() (back func()) {
	state, events := d.state.Copy(), len(d.events)
	return func() { d.state, d.events = state, d.events[:events] }
}

// taken imports a package and fails the test if the package is refused.
func (w *world) taken(fsys fs.FS) {
	w.Helper()
	if findings := w.take(fsys); findings.Refused() {
		w.Fatalf("the package is refused: %v", findings.Refusals())
	}
}

func (w *world) export(asOf string) fstest.MapFS {
	w.Helper()
	archive, err := w.exporter.Package(ocf.Cover{
		AsOf: exact.MustDate(asOf), GeneratedAt: w.now, Particulars: w.particulars, KeepVersion: true,
	})
	if err != nil {
		w.Fatal(err)
	}
	return folder(archive)
}

func folder(archive *ocf.Archive) fstest.MapFS {
	files := fstest.MapFS{}
	for _, file := range archive.Files {
		var content bytes.Buffer
		if err := file.Write(&content); err != nil {
			panic(err)
		}
		files[file.Name] = &fstest.MapFile{Data: content.Bytes()}
	}
	return files
}

// outstanding returns the outstanding shares of each class, by name.
func (w *world) outstanding() map[string]string {
	shares := map[string]string{}
	for security := range w.state.Securities() {
		shares[security.Name] = security.Outstanding().String()
	}
	return shares
}

// refusals returns each refusing finding as "type/id/field code".
func refusals(findings ocf.Findings) []string {
	var all []string
	for _, refusal := range findings.Refusals() {
		all = append(all, strings.TrimPrefix(refusal.Pointer, "/")+" "+refusal.Code)
	}
	slices.Sort(all)
	return all
}

// warnings returns each warning as "pointer code".
func warnings(findings ocf.Findings) []string {
	var all []string
	for _, finding := range findings {
		if finding.Severity == ocf.Warn {
			all = append(all, strings.TrimPrefix(finding.FieldError().Pointer, "/")+" "+finding.Code)
		}
	}
	slices.Sort(all)
	return all
}

func equal[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func equalLists(tb testing.TB, what string, got, want []string) {
	tb.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		tb.Errorf("%s:\n got %s\nwant %s", what, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func number(text string) captable.Decimal { return exact.MustDecimal(text) }

func holder(entity captable.EntityID) captable.HolderRef { return captable.HolderRef{Entity: entity} }
