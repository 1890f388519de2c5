package http_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// workbookOf returns a workbook with a heading and one row.
func workbookOf(t *testing.T, heading, row string) string {
	t.Helper()
	return workbookWith(t, heading, textCells(t, row))
}

// textCells returns cells with the texts of a line.
func textCells(t *testing.T, line string) string {
	t.Helper()
	var b strings.Builder
	for cell := range strings.SplitSeq(line, ",") {
		b.WriteString(`<c t="inlineStr"><is><t>`)
		if err := xml.EscapeText(&b, []byte(cell)); err != nil {
			t.Fatal(err)
		}
		b.WriteString(`</t></is></c>`)
	}
	return b.String()
}

// workbookWith returns a workbook with a heading and the cells of one row.
func workbookWith(t *testing.T, heading, cells string) string {
	t.Helper()
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, text := range map[string]string{
		"_rels/.rels":                `<Relationships><Relationship Id="r1" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook xmlns:r="` + office + `"><sheets><sheet name="A" sheetId="1" r:id="s1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="s1" Type="` + office + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row>` + textCells(t, heading) + `</row><row>` + cells + `</row></sheetData></worksheet>`,
	} {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

func TestInvalidCellsAreRefusedWithRowAndColumn(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	f.NewHolder(t, "Grace Hopper")
	f.NewPlan(t, "Stock Plan", "1000")
	const (
		shares  = "holder,security,shares,issueDate,rule144Date,certificate,externalId"
		options = "holder,plan,type,quantity,issueDate,expirationDate,externalId"
	)
	for claim, c := range map[string]struct{ kind, heading, row, pointer, code string }{
		"an issue date in the year 10000": {
			"shareholdings", shares, "Grace Hopper,Common Stock,1,10000-01-01,,C-1,a", "/rows/2/issueDate", "invalidDate",
		},
		"a Rule 144 date in the year 10000": {
			"shareholdings", shares, "Grace Hopper,Common Stock,1,2025-01-01,10000-01-01,C-1,a", "/rows/2/rule144Date", "invalidDate",
		},
		"a certificate that turns direction": {
			"shareholdings", shares, "Grace Hopper,Common Stock,1,2025-01-01,,C-\u202e1,a", "/rows/2/certificate", "bidirectionalControl",
		},
		"a holder that turns direction": {
			"shareholdings", shares, "Grace \u2067Hopper,Common Stock,1,2025-01-01,,C-1,a", "/rows/2/holder", "bidirectionalControl",
		},
		"a grant in the year 10000": {"options", options, "Grace Hopper,Stock Plan,nso,1,10000-01-01,,a", "/rows/2/issueDate", "invalidDate"},
		"an expiration in the year 10000": {
			"options", options, "Grace Hopper,Stock Plan,nso,1,2026-01-02,10000-01-01,a", "/rows/2/expirationDate", "invalidDate",
		},
		"an externalId that turns direction": {
			"options", options, "Grace Hopper,Stock Plan,nso,1,2026-01-02,,a\u200f", "/rows/2/externalId", "bidirectionalControl",
		},
		"a plan whose name turns direction twice": {
			"options", options, "Grace Hopper,\u2066Stock Plan\u2069,nso,1,2026-01-02,,a", "/rows/2/plan", "bidirectionalControl",
		},
	} {
		book, bookKind := spreadsheet(t, "rows.xlsx", workbookOf(t, c.heading, c.row))
		for format, file := range map[string][2]string{"CSV": {c.heading + "\n" + c.row + "\n", csvKind}, "XLSX": {book, bookKind}} {
			got := f.Must(t, "POST", f.Home+"/import?kind="+c.kind, file[0], http.StatusBadRequest, "Content-Type", file[1])
			if !strings.Contains(got.Body, c.pointer) || !strings.Contains(got.Body, c.code) {
				t.Errorf("%s in %s: %s", claim, format, got.Body)
			}
		}
	}
}
