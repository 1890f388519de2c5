package ocf_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"equity/captable/ocf"
)

func TestReadFiles(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		change             func(fstest.MapFS)
		refusals, warnings []string
	}{
		"nothing at all": {func(f fstest.MapFS) { clear(f) }, []string{" manifestMissing"}, nil},
		"two manifests": {
			func(f fstest.MapFS) { f["old/Manifest.json"] = f["Manifest.ocf.json"] }, []string{"old~1Manifest.json manifestTwice"}, nil,
		},
		"a manifest that is no JSON": {
			func(f fstest.MapFS) { f["Manifest.ocf.json"].Data = []byte("{") }, []string{"Manifest.ocf.json invalidJSON"}, nil,
		},
		"a file that is missing": {func(f fstest.MapFS) { delete(f, "Transactions.ocf.json") }, []string{"Transactions.ocf.json fileMissing"}, nil},
		"a file by another name": {
			func(f fstest.MapFS) { f["tx.json"] = f["Transactions.ocf.json"]; delete(f, "Transactions.ocf.json") },
			nil,
			[]string{"Transactions.ocf.json fileRenamed"},
		},
		"a file by a name in other letters": {
			func(f fstest.MapFS) {
				f["transactions.JSON"] = f["Transactions.ocf.json"]
				delete(f, "Transactions.ocf.json")
			},
			nil,
			[]string{"Transactions.ocf.json fileRenamed"},
		},
		"two files that it might be": {
			func(f fstest.MapFS) {
				f["a.json"], f["b.json"] = f["Transactions.ocf.json"], f["Transactions.ocf.json"]
				delete(f, "Transactions.ocf.json")
			},
			[]string{"Transactions.ocf.json fileMissing"},
			[]string{"a.json fileUnlisted", "b.json fileUnlisted"},
		},
		"a file that is no JSON": {
			func(f fstest.MapFS) { f["Transactions.ocf.json"].Data = []byte(`{"items":`) },
			[]string{"Transactions.ocf.json invalidJSON"},
			[]string{"Transactions.ocf.json staleChecksum"},
		},
		"a file that is no text": {
			func(f fstest.MapFS) { f["Transactions.ocf.json"].Data = []byte("{\"a\":\"\xff\"}") },
			[]string{"Transactions.ocf.json invalidJSON"},
			[]string{"Transactions.ocf.json staleChecksum"},
		},
		"a file of another type": {
			func(f fstest.MapFS) { f["Transactions.ocf.json"].Data = f["StockLegends.ocf.json"].Data },
			[]string{"Transactions.ocf.json wrongFileType"},
			[]string{"Transactions.ocf.json staleChecksum"},
		},
		"a byte order mark": {
			func(f fstest.MapFS) {
				f["Transactions.ocf.json"].Data = append([]byte("\ufeff"), f["Transactions.ocf.json"].Data...)
			},
			nil,
			[]string{"Transactions.ocf.json staleChecksum"},
		},
		"fields of a file that nobody knows": {
			func(f fstest.MapFS) {
				f["Transactions.ocf.json"].Data = append([]byte(`{"note":"x",`), f["Transactions.ocf.json"].Data[1:]...)
			},
			nil,
			[]string{"Transactions.ocf.json staleChecksum", "Transactions.ocf.json/note unknownField"},
		},
		"what is beside": {func(f fstest.MapFS) {
			f["README.md"], f["__MACOSX/Manifest.ocf.json"], f[".git/x.json"] = &fstest.MapFile{}, f["Manifest.ocf.json"], &fstest.MapFile{}
			f["inner.zip"], f["extra.json"] = &fstest.MapFile{Data: []byte("PK")}, &fstest.MapFile{Data: []byte("{}")}
		}, nil, []string{"extra.json fileUnlisted", "inner.zip nestedArchive"}},
		"a link instead of a file": {
			func(f fstest.MapFS) { f["Transactions.ocf.json"].Mode = fs.ModeSymlink },
			[]string{"Transactions.ocf.json fileMissing"},
			nil,
		},
		"a list twice": {func(f fstest.MapFS) {
			m := f["Manifest.ocf.json"]
			m.Data = []byte(strings.Replace(string(m.Data), `"valuations_files":[]`, `"documents_files":[{"filepath":"Transactions.ocf.json","md5":""}]`, 1))
		}, nil, []string{"Transactions.ocf.json fileListedTwice"}},
		"a path that leads outside": {func(f fstest.MapFS) {
			m := f["Manifest.ocf.json"]
			m.Data = []byte(strings.Replace(string(m.Data), `"valuations_files":[]`, `"valuations_files":[{"filepath":"../../etc/passwd","md5":""}]`, 1))
		}, []string{"..~1..~1etc~1passwd fileMissing"}, nil},
		"a list that is none": {func(f fstest.MapFS) {
			m := f["Manifest.ocf.json"]
			m.Data = []byte(strings.Replace(string(m.Data), `"valuations_files":[]`, `"valuations_files":3,"mood":1`, 1))
		}, []string{"Manifest.ocf.json/valuations_files wrongType"}, []string{"Manifest.ocf.json/mood unknownField"}},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			files := sound().files()
			c.change(files)
			_, findings := readBoth(t, files, ocf.DefaultLimits())
			equalLists(t, "refusals", refusals(findings), c.refusals)
			equalLists(t, "warnings", warnings(findings), c.warnings)
		})
	}
}

func TestReadFolders(t *testing.T) {
	t.Parallel()
	t.Run("a package may lie in a folder of the archive", func(t *testing.T) {
		t.Parallel()
		var b bytes.Buffer
		archive := zip.NewWriter(&b)
		for name, file := range sound().files() {
			entry, err := archive.Create("acme/" + name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := entry.Write(file.Data); err != nil {
				t.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		reader, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		w := setup(t)
		w.taken(reader)
		equal(t, "common", w.outstanding()["COMMON"], "600")
	})
	t.Run("a broken archive is a finding", func(t *testing.T) {
		t.Parallel()
		_, findings := readBoth(t, broken{sound().files()}, ocf.DefaultLimits())
		equalLists(t, "refusals", refusals(findings), []string{"Manifest.ocf.json unreadable", " manifestMissing"})
	})
}

// broken is a package with an unreadable manifest.
type broken struct{ fstest.MapFS }

func (b broken) Open(name string) (fs.File, error) {
	if name == "Manifest.ocf.json" {
		return nil, fs.ErrPermission
	}
	return b.MapFS.Open(name)
}

func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"a package with too many bytes is refused": {func(f fstest.MapFS) {
			for i := range 5 {
				f["z"+strconv.Itoa(i)+".json"] = &fstest.MapFile{Data: []byte(`{"items":[` + strings.Repeat(`{"x":"`+strings.Repeat("x", 1<<10)+`"},`, 1_100))}
			}
		}, "z4.json tooLarge"},
		"an object that is too long is refused": {func(f fstest.MapFS) {
			f["z.json"] = &fstest.MapFile{Data: []byte(`{"items":[{"x":"` + strings.Repeat("x", 70<<10) + `"}]}`)}
		}, "z.json tooLarge"},
		"lists that are nested too deeply are refused": {func(f fstest.MapFS) {
			f["z.json"] = &fstest.MapFile{Data: []byte(strings.Repeat("[", 40))}
		}, "z.json tooLarge"},
		"a package with too many files is refused": {func(f fstest.MapFS) {
			for i := range 1_100 {
				f["z"+strconv.Itoa(i)+".json"] = &fstest.MapFile{}
			}
		}, " tooMany"},
		"a package with too many entries in folders is refused": {func(f fstest.MapFS) {
			for i := range 11_000 {
				f["z/"+strconv.Itoa(i)+".txt"] = &fstest.MapFile{}
			}
		}, " tooMany"},
		"a file with too many objects is refused": {func(f fstest.MapFS) {
			f["Transactions.ocf.json"].Data = []byte(`{"file_type":"OCF_TRANSACTIONS_FILE","items":[{}` + strings.Repeat(`,{}`, 20_100) + `]}`)
		}, "Transactions.ocf.json tooMany"},
		"an object with too many fields is refused": {func(f fstest.MapFS) {
			var b strings.Builder
			for i := range 600 {
				b.WriteString(`"x` + strconv.Itoa(i) + `":1,`)
			}
			m := f["Manifest.ocf.json"]
			m.Data = []byte(strings.Replace(string(m.Data), `{`, `{`+b.String(), 1))
		}, "Manifest.ocf.json invalidJSON"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			files := sound().files()
			c.change(files)
			p, findings := readBoth(t, files, ocf.Limits{Bytes: 5 << 20, Files: 1_000, Objects: 10_000, ObjectBytes: 64 << 10, Depth: 32})
			if !slices.Contains(refusals(findings), c.want) {
				t.Errorf("got %d refusals without %q", len(findings.Refusals()), c.want)
			}
			equal(t, "findings are bounded", len(findings) <= 20_002, true)
			equal(t, "the package keeps them", len(p.Findings()), len(findings))
		})
	}
	t.Run("a package with too many classes is refused", func(t *testing.T) {
		t.Parallel()
		p := sound()
		for i := range 3_000 {
			p.classes = append(p.classes, class("c"+strconv.Itoa(i), "COMMON", "1", "1"))
		}
		equalLists(t, "refusals", refusals(setup(t).take(p.files())), []string{"STOCK_CLASS/c1998 tooMany"})
	})
}

func TestPackageCurrency(t *testing.T) {
	t.Parallel()
	p := sound()
	for i, currency := range []string{"EUR", "GBP", "EUR", "GBP"} {
		p.transactions = append(p.transactions, issue("x"+strconv.Itoa(i), "2024-01-02", "ada", "common", "1", `"share_price":{"amount":"1","currency":"`+currency+`"}`))
	}
	read, _ := ocf.Read(p.files())
	equal(t, "most prices are in", read.Currency(), "EUR")
	empty, _ := ocf.Read(fstest.MapFS{})
	equal(t, "without prices", empty.Currency(), "USD")
}

func TestIssuer(t *testing.T) {
	t.Parallel()
	p := sound()
	p.manifest = `"issuer":{"id":"acme","object_type":"ISSUER","legal_name":"Acme Inc.","formation_date":"2020-02-29","country_of_formation":"US",
		"country_subdivision_of_formation":"DE","tax_ids":[{"tax_id":"12","country":"US"}],"email":{"email_type":"BUSINESS","email_address":"a@example.com"},
		"phone":{"phone_type":"BUSINESS","phone_number":"+1 612 234 2345"},
		"address":{"address_type":"LEGAL","street_suite":"1 Main\nSuite 2","city":"Town","country":"US","postal_code":"1","country_subdivision":"DE"}},"as_of":"2024-01-01"`
	read, findings := ocf.Read(p.files())
	equal(t, "refused", findings.Refused(), false)
	issuer := read.Issuer
	issuer.Raw = nil
	equal(t, "date", issuer.FormationDate.String(), "2020-02-29")
	equal(t, "address", issuer.Address, ocf.Address{Street: "1 Main\nSuite 2", City: "Town", Subdivision: "DE", Country: "US", PostalCode: "1"})
	equal(
		t, "the rest", issuer.ID+issuer.LegalName+issuer.Jurisdiction+issuer.TaxID+issuer.Email+issuer.Phone,
		"acmeAcme Inc.US-DE12a@example.com+1 612 234 2345",
	)
}

func TestWarningsDoNotRefuse(t *testing.T) {
	t.Parallel()
	p := sound()
	var odd strings.Builder
	for i := range 400 {
		odd.WriteString(`,"mood` + strconv.Itoa(i) + `":"good"`)
	}
	for i := range 30 {
		p.legends = append(p.legends, `{"id":"l`+strconv.Itoa(i)+`","object_type":"STOCK_LEGEND_TEMPLATE","name":"L","text":"T"`+odd.String()+`}`)
	}
	findings := setup(t).take(p.files())
	equalLists(t, "refusals", refusals(findings), nil)
	equal(t, "warnings", len(findings), 10_001)
	equal(t, "the last says that there are more", findings[len(findings)-1].Code, "tooMany")
}
