package organization_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/fault"
	"equity/organization"
)

// sample returns a sample package of the format.
func sample(tb testing.TB, name string) fs.FS {
	tb.Helper()
	folder := os.Getenv("SHARED")
	if folder == "" {
		at, err := os.Getwd()
		for err == nil && folder == "" {
			if _, missing := os.Stat(filepath.Join(at, "go.mod")); missing == nil {
				folder = filepath.Join(at, "..", "shared")
			} else if at == filepath.Dir(at) {
				tb.Fatal("there is no go.mod above the tests")
			}
			at = filepath.Dir(at)
		}
	}
	folder = filepath.Join(folder, "ocf", "packages", name)
	if _, err := os.Stat(folder); err != nil {
		tb.Fatalf("the format's samples are wanted beside the repository in ../shared, or where SHARED says: %v", err)
	}
	return os.DirFS(folder)
}

// parcel returns a package with an issuer, two stakeholders, a class and the transactions.
func parcel(transactions ...string) fstest.MapFS {
	file := func(kind string, items ...string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{"file_type":"` + kind + `","items":[` + strings.Join(items, ",") + `]}`)}
	}
	listed := func(name string) string { return `[{"filepath":"` + name + `","md5":""}]` }
	return fstest.MapFS{
		"Manifest.json": {Data: []byte(`{"file_type":"OCF_MANIFEST_FILE","ocf_version":"1.2.0","as_of":"2025-01-01","generated_at":"2025-01-01T00:00:00Z",
			"issuer":{"object_type":"ISSUER","id":"issuer-1","legal_name":"Acme Inc.","formation_date":"2019-05-01","country_of_formation":"US",
				"country_subdivision_of_formation":"DE","tax_ids":[{"tax_id":"99","country":"US"}],"phone":{"phone_type":"BUSINESS","phone_number":"+1 612 234 2345"},
				"address":{"address_type":"LEGAL","street_suite":"1 Main Street\nSuite 2\nLeft\nBell","city":"Dover","country_subdivision":"DE","country":"US","postal_code":"1"}},
			"stakeholders_files":` + listed("s.json") + `,"stock_classes_files":` + listed("c.json") + `,"transactions_files":` + listed("t.json") + `,
			"documents_files":` + listed("p.json") + `}`)},
		"s.json": file("OCF_STAKEHOLDERS_FILE",
			`{"object_type":"STAKEHOLDER","id":"eve","name":{"legal_name":"Eve"},"stakeholder_type":"INDIVIDUAL","current_relationship":"EX_EMPLOYEE",
				"contact_info":{"emails":[{"email_type":"PERSONAL","email_address":"eve@example.com"}]}}`,
			`{"object_type":"STAKEHOLDER","id":"fund","name":{"legal_name":"Fund I"},"stakeholder_type":"INSTITUTION"}`),
		"c.json": file("OCF_STOCK_CLASSES_FILE", `{"object_type":"STOCK_CLASS","id":"common","name":"Common","class_type":"COMMON","default_id_prefix":"CS-",
			"initial_shares_authorized":"100","votes_per_share":"1","seniority":"1"}`),
		"p.json": file("OCF_DOCUMENTS_FILE", `{"object_type":"DOCUMENT","id":"charter","path":"./charter.pdf","md5":"d41d8cd98f00b204e9800998ecf8427e"}`),
		"t.json": file("OCF_TRANSACTIONS_FILE", transactions...),
	}
}

func stock(security, holder, quantity string) string {
	return `{"object_type":"TX_STOCK_ISSUANCE","id":"issue-` + security + `","security_id":"` + security + `","date":"2024-01-01","custom_id":"` + security + `",
		"stakeholder_id":"` + holder + `","stock_class_id":"common","quantity":"` + quantity + `","share_price":{"amount":"1","currency":"USD"},"stock_legend_ids":[],"security_law_exemptions":[]}`
}

// prepared prepares the package for an import.
func (b *bundle) prepared(fsys fs.FS) organization.ImportPackage {
	p, _ := ocf.Read(fsys)
	p.Prepare(b.newID)
	return organization.ImportPackage{Package: p}
}

// outstanding returns the outstanding shares of each class by name.
func (b *bundle) outstanding() map[string]string {
	shares := map[string]string{}
	for security := range b.state.Table().Securities() {
		shares[security.Name] = security.Outstanding().String()
	}
	return shares
}

func TestImportPackage(t *testing.T) {
	t.Parallel()
	t.Run("the samples have their outstanding shares by class", func(t *testing.T) {
		t.Parallel()
		for name, want := range map[string]map[string]string{
			"test-company": {"Ordinary A": "145000", "Ordinary B": "50000", "Preferred": "15000"},
			"quickstart":   {"Preferred Shares": "5000"},
		} {
			b := founded(t)
			b.do(b.prepared(sample(t, name)))
			if got := b.outstanding(); !maps.Equal(got, want) {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		}
	})
	t.Run("the events are the package and then its changes", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		var types []string
		for _, event := range b.do(b.prepared(parcel(stock("one", "eve", "60")))) {
			types = append(types, event.EventType())
		}
		equal(t, "events", strings.Join(types, " "), "organizationChanged packageImported memberAdded memberAdded securityCreated shareholdingIssued objectCarried") //nolint:dupword // two holders
		equal(t, "carried", b.state.Table().Carried(), 1)
	})
	t.Run("stakeholders become members without roles, under their own ids", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		command := b.prepared(parcel(stock("one", "eve", "60")))
		b.do(command)
		eve, known := b.state.MemberOf(command.Package.Stakeholders[0].Entity)
		equal(t, "known", known, true)
		equal(t, "member", eve.ExternalID+" "+eve.FullName+" "+eve.Kind+" "+eve.Relationship+" "+eve.Status, "eve Eve individual exEmployee registered")
		equal(t, "roles", len(eve.Roles), 0)
		equal(t, "holds", b.state.Table().Holds(eve.Entity), true)
		equal(t, "particulars are theirs", command.Package.Particulars()[0].Entity, eve.Entity)
	})
	t.Run("personal particulars stay out of the journal", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(b.prepared(parcel(stock("one", "eve", "60"))))
		for _, row := range b.recorded {
			if strings.Contains(string(row.payload), "eve@example.com") {
				t.Errorf("%s has an e-mail address: %s", row.kind, row.payload)
			}
		}
	})
	t.Run("empty profile fields are filled from the issuer", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(organization.Amend{Patch: []byte(`{"taxId":"ours"}`)})
		b.do(b.prepared(parcel()))
		profile := b.state.Profile()
		equal(t, "profile", profile.Name+", "+profile.LegalName+", "+profile.FormationDate.String()+", "+profile.Jurisdiction+", "+profile.TaxID+", "+profile.PhoneNumber+", "+profile.ExternalID,
			"Acme, Acme Inc., 2019-05-01, US-DE, ours, +1 612 234 2345, issuer-1")
		equal(t, "address", *profile.Address, organization.Address{
			Street1: "1 Main Street", Street2: "Suite 2", Street3: "Left, Bell", City: "Dover", Province: "DE", Country: "US", PostalCode: "1",
		})
	})
	t.Run("a complete profile, or one with securities, is unchanged", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.issue(captable.HolderRef{Entity: captable.EntityID(owner)}, 1)
		equal(t, "first event", b.do(b.prepared(sample(t, "test-company")))[0].EventType(), "packageImported")
		equal(t, "legal name", b.state.Profile().LegalName, "")
	})
	t.Run("an organization with existing records accepts a package", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(b.prepared(sample(t, "quickstart")))
		b.do(b.prepared(sample(t, "test-company")))
		want := map[string]string{"Preferred Shares": "5000", "Ordinary A": "145000", "Ordinary B": "50000", "Preferred": "15000"}
		if got := b.outstanding(); !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestImportPackageRefuses(t *testing.T) {
	t.Parallel()
	t.Run("a refused import has all findings and records no event", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		rows := len(b.recorded)
		refusal := b.refused(b.prepared(parcel(stock("one", "eve", "60"), stock("over", "fund", "41"), stock("loose", "nobody", "1"), `{"object_type":"TX_STOCK_ACCEPTANCE",
			"id":"early","security_id":"one","date":"2023-01-01"}`)), fault.PackageRefused,
			"/TX_STOCK_ISSUANCE/issue-loose/stakeholder_id danglingReference", "/TX_STOCK_ACCEPTANCE/early/date beforeIssue",
			"/TX_STOCK_ISSUANCE/issue-over/quantity insufficientShares")
		equal(t, "message", refusal.Message, "The package cannot be imported. No change was recorded.")
		equal(t, "rows", len(b.recorded), rows)
	})
	t.Run("a second import of the same package is refused", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(b.prepared(parcel(stock("one", "eve", "60"))))
		b.refused(b.prepared(parcel(stock("one", "eve", "60"))), fault.PackageRefused,
			"/STAKEHOLDER/eve conflict", "/STAKEHOLDER/fund conflict", "/STOCK_CLASS/common conflict")
	})
	t.Run("an import of an invalid package is refused", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.refused(b.prepared(fstest.MapFS{}), fault.PackageRefused, " manifestMissing")
	})
	t.Run("an import before the organization is created is refused", func(t *testing.T) {
		t.Parallel()
		b := unfounded(t)
		b.refused(b.prepared(parcel()), fault.NotFound)
	})
	t.Run("an import of the samples is refused without repeated findings", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		_, err := b.decide(b.prepared(sample(t, "samples")))
		var refusal *fault.Error
		if !errors.As(err, &refusal) || len(refusal.Fields) < 100 {
			t.Fatalf("got %v", err)
		}
		// No finding is repeated.
		seen := map[fault.Field]bool{}
		for _, field := range refusal.Fields {
			if seen[field] {
				t.Errorf("told twice: %v", field)
			}
			seen[field] = true
		}
	})
}

func TestImportedEventsReplay(t *testing.T) {
	t.Parallel()
	b := founded(t)
	b.do(b.prepared(sample(t, "test-company")))
	decoder, again := organization.NewSchema(), organization.NewState()
	for _, row := range b.recorded {
		event, err := decoder.Decode(row.kind, row.payload)
		if err != nil {
			t.Fatal(err)
		}
		again.Apply(event, row.stamp)
	}
	equal(t, "the same state", slices.Equal(again.Snapshot(), b.state.Snapshot()), true)
}

func TestExport(t *testing.T) {
	t.Parallel()
	const asOf = today
	export := func(b *bundle) (map[string]map[string]any, map[string]any) {
		t.Helper()
		decoder, exporter := organization.NewSchema(), organization.NewExporter()
		for _, row := range b.recorded {
			event, err := decoder.Decode(row.kind, row.payload)
			if err != nil {
				t.Fatal(err)
			}
			exporter.Apply(event, row.stamp)
		}
		equal(t, "entities", len(exporter.Entities()) > 0, true)
		archive, err := exporter.Package(ocf.Cover{AsOf: exact.MustDate(asOf), GeneratedAt: b.now})
		if err != nil {
			t.Fatal(err)
		}
		objects, manifest := map[string]map[string]any{}, map[string]any{}
		for _, file := range archive.Files {
			var content struct {
				Items []map[string]any `json:"items"`
			}
			var written bytes.Buffer
			if err := file.Write(&written); err != nil {
				t.Fatal(err)
			}
			if file.Name == "Manifest.ocf.json" {
				err = json.Unmarshal(written.Bytes(), &manifest)
			} else {
				err = json.Unmarshal(written.Bytes(), &content)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range content.Items {
				objects[item["id"].(string)] = item
			}
		}
		return objects, manifest["issuer"].(map[string]any)
	}
	t.Run("an export has the current holders and issuer", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(organization.Amend{Patch: []byte(`{"legalName":"Acme Limited","jurisdiction":"Bavaria","address":{"street1":"Weg 1","street2":"Hof","city":"Ulm","country":"DE"},
			"taxId":"7","phoneNumber":"+49 123 456 7890"}`)})
		holder := b.add(bob, "Bob Noyce")
		b.add(cleo, "Cleo")
		b.issue(captable.HolderRef{Member: holder}, 10)
		b.do(organization.AmendMember{ID: holder, Patch: []byte(`{"fullName":"Robert Noyce","kind":"institution","relationship":"investor"}`)})
		b.do(organization.RemoveMember{ID: holder, KeepHoldings: true})
		objects, issuer := export(b)
		equal(t, "holder", text(t, objects[captable.EntityID(bob).String()]), `{"current_relationships":["INVESTOR"],"id":"`+bob.String()+
			`","name":{"legal_name":"Robert Noyce"},"object_type":"STAKEHOLDER","stakeholder_type":"INSTITUTION"}`)
		equal(t, "who holds nothing", len(objects), 3)
		equal(t, "issuer", text(t, issuer), `{"address":{"address_type":"LEGAL","city":"Ulm","country":"DE","street_suite":"Weg 1\nHof"},"country_of_formation":"DE",`+
			`"country_subdivision_name_of_formation":"Bavaria","formation_date":"`+today+`","id":"`+acme.String()+`","legal_name":"Acme Limited","object_type":"ISSUER",`+
			`"phone":{"phone_number":"+49 123 456 7890","phone_type":"BUSINESS"},"tax_ids":[{"country":"DE","tax_id":"7"}]}`)
	})
	t.Run("an export keeps an imported issuer with its later changes", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(b.prepared(parcel(stock("one", "eve", "60"))))
		_, issuer := export(b)
		var came struct{ Issuer map[string]any }
		if err := json.Unmarshal(parcel()["Manifest.json"].Data, &came); err != nil {
			t.Fatal(err)
		}
		equal(t, "issuer", text(t, issuer), text(t, came.Issuer))
		b.do(organization.Amend{Patch: []byte(`{"legalName":"Renamed Inc."}`)})
		_, issuer = export(b)
		came.Issuer["legal_name"] = "Renamed Inc."
		equal(t, "renamed issuer", text(t, issuer), text(t, came.Issuer))
	})
	t.Run("an export keeps a member after removal and return", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		holder := b.add(bob, "Bob Noyce")
		b.issue(captable.HolderRef{Member: holder}, 10)
		b.do(organization.RemoveMember{ID: holder, KeepHoldings: true})
		b.add(bob, "Bob N.")
		objects, _ := export(b)
		equal(t, "name", text(t, objects[bob.String()]["name"]), `{"legal_name":"Bob N."}`)
	})
}
