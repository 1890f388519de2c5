package ocf_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"equity/captable"
	"equity/captable/ocf"
)

func TestLargePackage(t *testing.T) {
	t.Parallel()
	files := large(2_000) // about 2,000 transactions: 800 lots of 50,000 shares, split 2 : 1
	w := setup(t)
	w.taken(files)
	equal(t, "shares", w.outstanding()["COMMON"], "80000000")
	same(t, w.export("2026-01-01"), files)
}

// BenchmarkRead reads a package of 50,000 transactions, 11 MB.
func BenchmarkRead(b *testing.B) {
	files := large(50_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, findings := ocf.Read(files); findings.Refused() {
			b.Fatal(findings.Refusals())
		}
	}
}

// BenchmarkEnter enters that package into a cap table.
func BenchmarkEnter(b *testing.B) {
	w := setup(b)
	p, _ := ocf.Read(large(50_000))
	p.Prepare(w.newID)
	entities := map[string]captable.EntityID{}
	for _, s := range p.Stakeholders {
		entities[s.ID], w.holders[s.Entity] = s.Entity, s.Name
	}
	b.ReportAllocs()
	for b.Loop() {
		findings := p.Enter(entities, &draft{world: w, state: captable.NewState()})
		if findings.Refused() {
			b.Fatal(findings.Refusals())
		}
	}
}

// BenchmarkExport exports that package.
func BenchmarkExport(b *testing.B) {
	w := setup(b)
	w.taken(large(50_000))
	b.ReportAllocs()
	for b.Loop() {
		w.export("2026-01-01")
	}
}

// large returns a company with 1,000 holders and about the given number of transactions. One
// in four lots of 50,000 shares is transferred, the others are accepted. A split follows.
func large(transactions int) fstest.MapFS {
	p := sound()
	p.stakeholders, p.transactions = nil, nil
	p.classes = []string{class("common", "COMMON", "2000000000", "1", `"comments":["`+strings.Repeat("x", 100)+`"]`)}
	for i := range 1_000 {
		p.stakeholders = append(p.stakeholders, `{"id":"holder-`+strconv.Itoa(i)+`","object_type":"STAKEHOLDER","name":{"legal_name":"Holder `+strconv.Itoa(i)+`"},
			"stakeholder_type":"INDIVIDUAL","contact_info":{"emails":[{"email_type":"PERSONAL","email_address":"h`+strconv.Itoa(i)+`@example.com"}]}}`)
	}
	lots := transactions * 2 / 5 // each lot has 2.25 transactions on average
	for i := range lots {
		name, to := "lot-"+strconv.Itoa(i), "holder-"+strconv.Itoa(i%1_000)
		p.transactions = append(p.transactions, issue(name, "2024-01-01", to, "common", "50000", `"comments":["`+strings.Repeat("y", 60)+`"]`))
		if i%4 != 0 {
			continue
		}
		next := "moved-" + strconv.Itoa(i)
		p.transactions = append(p.transactions,
			issue(next, "2024-02-01", "holder-"+strconv.Itoa((i+7)%1_000), "common", "50000"),
			tx("STOCK_TRANSFER", name, "2024-02-01", `"quantity":"50000","resulting_security_ids":["`+next+`"]`))
	}
	for i := range lots {
		if i%4 != 0 {
			p.transactions = append(p.transactions, tx("STOCK_ACCEPTANCE", "lot-"+strconv.Itoa(i), "2024-01-02"))
		}
	}
	p.transactions = append(p.transactions, split("twice", "common", "2024-06-01", "2", "1"))
	return p.files()
}
