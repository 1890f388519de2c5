package ocf_test

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
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
	"equity/captable/ocf"
)

// shared is the folder of the format's schemas and sample packages.
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

// parcel is a package in the making: lists of objects, as JSON.
type parcel struct {
	version, manifest                                                        string
	stakeholders, classes, legends, plans, vesting, transactions, financings []string
}

// sound is a small company that nothing is wrong with: Ada has 600 of 1,000 shares of
// common, the certificate of a certificate of hers.
func sound() *parcel {
	return &parcel{
		version: "1.2.0",
		stakeholders: []string{
			`{"id":"ada","object_type":"STAKEHOLDER","name":{"legal_name":"Ada Lovelace"},"stakeholder_type":"INDIVIDUAL"}`,
			`{"id":"fund","object_type":"STAKEHOLDER","name":{"legal_name":"Fund I"},"stakeholder_type":"INSTITUTION"}`,
		},
		classes:      []string{class("common", "COMMON", "1000", "1"), class("preferred", "PREFERRED", "500", "2")},
		legends:      []string{`{"id":"act","object_type":"STOCK_LEGEND_TEMPLATE","name":"Act","text":"Not registered."}`},
		transactions: []string{issue("one", "2024-01-01", "ada", "common", "600", `"stock_legend_ids":["act"]`)},
	}
}

func class(id, kind, authorized, seniority string, more ...string) string {
	return object(`"id":"`+id+`","object_type":"STOCK_CLASS","name":"`+strings.ToUpper(id)+`","class_type":"`+kind+`",
		"default_id_prefix":"`+strings.ToUpper(id[:1])+`-","initial_shares_authorized":"`+authorized+`","votes_per_share":"1","seniority":"`+seniority+`"`, more)
}

// issue makes the security of this name, the certificate of the same name in capitals.
func issue(security, date, to, class, quantity string, more ...string) string {
	return object(`"id":"issue-`+security+`","object_type":"TX_STOCK_ISSUANCE","date":"`+date+`","security_id":"`+security+`",
		"custom_id":"`+strings.ToUpper(security)+`","stakeholder_id":"`+to+`","stock_class_id":"`+class+`","quantity":"`+quantity+`",
		"share_price":{"amount":"1.00","currency":"USD"},"security_law_exemptions":[]`, append([]string{`"stock_legend_ids":[]`}, more...))
}

// tx is a transaction of a type about a security; its id is both.
func tx(kind, security, date string, more ...string) string {
	return object(`"id":"`+strings.ToLower(kind)+"-"+security+`","object_type":"TX_`+kind+`","date":"`+date+`","security_id":"`+security+`"`, more)
}

// object joins fields to an object; a later field replaces an earlier one.
func object(fields string, more []string) string {
	all := map[string]json.RawMessage{}
	for _, part := range append([]string{fields}, more...) {
		if err := json.Unmarshal([]byte("{"+part+"}"), &all); err != nil {
			panic(part + ": " + err.Error())
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// files writes the package with checksums that are right.
func (p *parcel) files() fstest.MapFS {
	files := fstest.MapFS{}
	lists := ""
	for _, l := range []struct {
		key, kind, name string
		items           []string
	}{
		{"stakeholders_files", "OCF_STAKEHOLDERS_FILE", "Stakeholders.ocf.json", p.stakeholders},
		{"stock_classes_files", "OCF_STOCK_CLASSES_FILE", "StockClasses.ocf.json", p.classes},
		{"stock_legend_templates_files", "OCF_STOCK_LEGEND_TEMPLATES_FILE", "StockLegends.ocf.json", p.legends},
		{"stock_plans_files", "OCF_STOCK_PLANS_FILE", "StockPlans.ocf.json", p.plans},
		{"vesting_terms_files", "OCF_VESTING_TERMS_FILE", "VestingTerms.ocf.json", p.vesting},
		{"transactions_files", "OCF_TRANSACTIONS_FILE", "Transactions.ocf.json", p.transactions},
		{"financings_files", "OCF_FINANCINGS_FILE", "Financings.ocf.json", p.financings},
		{"valuations_files", "OCF_VALUATIONS_FILE", "Valuations.ocf.json", nil},
	} {
		list := "[]"
		if l.items != nil {
			content := `{"file_type":"` + l.kind + `","items":[` + strings.Join(l.items, ",") + `]}`
			files[l.name] = &fstest.MapFile{Data: []byte(content)}
			sum := md5.Sum([]byte(content))
			list = `[{"filepath":"./` + l.name + `","md5":"` + hex.EncodeToString(sum[:]) + `"}]`
		}
		lists += `,"` + l.key + `":` + list
	}
	manifest := p.manifest
	if manifest == "" {
		manifest = `"issuer":{"id":"acme","object_type":"ISSUER","legal_name":"Acme Inc.","formation_date":"2020-02-29","country_of_formation":"US","country_subdivision_of_formation":"DE"},
			"as_of":"2024-12-31","generated_at":"2024-12-31T00:00:00Z","comments":["hello"]`
	}
	files["Manifest.ocf.json"] = &fstest.MapFile{Data: []byte(`{"ocf_version":"` + p.version + `","file_type":"OCF_MANIFEST_FILE",` + manifest + lists + `}`)}
	return files
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

// Holder knows everybody who was named.
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

func (w *world) decide(command captable.Command) ([]captable.Event, error) {
	events, err := captable.Decide(w.state, command, captable.Moment{Now: w.now, NewID: w.newID, Register: w, Currency: "USD"})
	w.record(events...)
	return events, err
}

// record applies events, and exports them as the journal would give them back.
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

// take imports a package as an organization would, and gives all findings.
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
	findings = append(findings, p.Enter(entities, w.decide)...)
	for _, source := range p.Carried {
		w.record(captable.ObjectCarried{Source: source})
	}
	return findings
}

// taken imports a package that nothing may be wrong with.
func (w *world) taken(fsys fs.FS) {
	w.Helper()
	if findings := w.take(fsys); findings.Refused() {
		w.Fatalf("the package is refused: %v", findings.Refusals())
	}
}

func (w *world) export(asOf string) fstest.MapFS {
	w.Helper()
	archive, err := w.exporter.Package(ocf.Cover{
		AsOf: captable.MustDate(asOf), GeneratedAt: w.now, Particulars: w.particulars, KeepVersion: true,
	})
	if err != nil {
		w.Fatal(err)
	}
	return folder(archive)
}

func folder(archive *ocf.Archive) fstest.MapFS {
	files := fstest.MapFS{}
	for _, file := range archive.Files {
		files[file.Name] = &fstest.MapFile{Data: file.Content}
	}
	return files
}

// outstanding gives the outstanding shares of each class by its name.
func (w *world) outstanding() map[string]string {
	shares := map[string]string{}
	for security := range w.state.Securities() {
		shares[security.Name] = security.Outstanding().String()
	}
	return shares
}

// refusals gives each refusing finding as "type/id/field code".
func refusals(findings ocf.Findings) []string {
	var all []string
	for _, refusal := range findings.Refusals() {
		all = append(all, strings.TrimPrefix(refusal.Pointer, "/")+" "+refusal.Code)
	}
	slices.Sort(all)
	return all
}

// warnings gives each warning as "pointer code".
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

func number(text string) captable.Decimal { return captable.MustDecimal(text) }

func holder(entity captable.EntityID) captable.HolderRef { return captable.HolderRef{Entity: entity} }
