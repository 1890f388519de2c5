package sheet_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"equity/sheet"
)

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

// relations are those of the parts of a small workbook.
const relations = `<Relationships><Relationship Id="s1" Type="` + office + `/worksheet" Target="worksheets/sheet1.xml"/>
	<Relationship Id="s2" Type="` + office + `/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`

// archive returns a small workbook. The given parts replace or extend its files.
func archive(tb testing.TB, replaced map[string]string) []byte {
	tb.Helper()
	parts := map[string]string{
		"_rels/.rels":                `<Relationships><Relationship Id="r1" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook xmlns:r="` + office + `"><sheets><sheet name="A" sheetId="1" r:id="s1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relations,
		"xl/sharedStrings.xml":       `<sst><si><t>name</t></si><si><r><t>Ada </t></r><r><t>Lovelace_x000D_</t></r><rPh><t>not this</t></rPh></si></sst>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row></sheetData></worksheet>`,
	}
	maps.Copy(parts, replaced)
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	for name, text := range parts {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return file.Bytes()
}

// misstated returns a small workbook whose part of shared texts states another size than it has.
func misstated(tb testing.TB, text string, stated uint32) []byte {
	tb.Helper()
	file := archive(tb, map[string]string{"xl/sharedStrings.xml": text})
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	if bytes.Count(file, size) < 1 {
		tb.Fatal("the archive does not state the size")
	}
	return bytes.ReplaceAll(file, size, binary.LittleEndian.AppendUint32(nil, stated))
}

func withRows(rows string) map[string]string {
	return map[string]string{"xl/worksheets/sheet1.xml": "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"}
}

// told formats the cells of the first sheet: each row with its number.
func told(book sheet.Book) string {
	var all []string
	for _, row := range book.Sheets[0].Rows {
		texts := make([]string, row.Cells[len(row.Cells)-1].Column+1)
		for _, cell := range row.Cells {
			texts[cell.Column] = cell.Value
		}
		all = append(all, fmt.Sprintf("%d:%s", row.Number, strings.Join(texts, "|")))
	}
	return strings.Join(all, " ")
}

func TestCellsOfAllTypesAreRead(t *testing.T) {
	t.Parallel()
	for rows, want := range map[string]string{
		`<row><c t="s"><v>0</v></c></row><row r="5"><c t="s"><v>1</v></c></row>`:                                       "1:name 5:Ada Lovelace",
		`<row><c t="inlineStr"><is><t>a</t></is></c><c r="C1" t="str"><f>1+1</f><v>b</v></c></row>`:                    "1:a||b",
		`<row><c><v>1</v></c></row><row><c><v>1250.50</v></c></row><row><c t="d"><v>2021-02-03T00:00:00</v></c></row>`: "1:1 2:1250.5 3:2021-02-03",
		`<row><c t="str"><v>&lt;a&amp;b&gt;</v></c></row>`:                                                             "1:<a&b>",
	} {
		book, err := sheet.Read(archive(t, withRows(rows)), sheet.Options{})
		if err != nil || told(book) != want {
			t.Errorf("%v, %v instead of %q", book, err, want)
		}
	}
}

// hostile returns files that would take much memory, by the code of their refusal.
func hostile(tb testing.TB) map[string]struct {
	file []byte
	code string
} {
	tb.Helper()
	type refused = struct {
		file []byte
		code string
	}
	const many = 19 << 20
	long, entries := strings.Repeat("x", 20<<20), map[string]string{}
	for i := range 1100 {
		entries[fmt.Sprintf("part%d", i)] = ""
	}
	text := strings.Repeat("y", sheet.MaxCell)
	var wide, rows strings.Builder
	for range 2000 {
		rows.WriteString(`<row><c t="s"><v>0</v></c></row>`)
	}
	wide.WriteString("<row>")
	for range 100_000 {
		wide.WriteString("<c><v>1</v></c>")
	}
	shared := func(text string) map[string]string { return map[string]string{"xl/sharedStrings.xml": text} }
	repeated := withRows(rows.String())
	repeated["xl/sharedStrings.xml"] = "<sst><si><t>" + text + "</t></si></sst>"
	return map[string]refused{
		"a file of commas":                     {bytes.Repeat([]byte(","), many), "tooLarge"},
		"a file of commas within a quote":      {append([]byte("a,b\n\""), bytes.Repeat([]byte(","), many)...), "tooLarge"},
		"a file of commas behind a wrong mark": {append([]byte("a,b\nx\","), bytes.Repeat([]byte(","), many)...), "unreadable"},
		"a file of quotes":                     {bytes.Repeat([]byte{'"'}, many), "tooLarge"},
		"one long line":                        {bytes.Repeat([]byte("x"), many), "tooLarge"},
		"much text":                            {bytes.Repeat([]byte(strings.Repeat("z", 9000)+"\n"), many/9001), "tooLarge"},
		"a large inline cell":                  {archive(tb, withRows(`<row><c t="inlineStr"><is><t>`+long+`</t></is></c></row>`)), "tooLarge"},
		"a large shared text":                  {archive(tb, shared("<sst><si><t>"+long+"</t></si></sst>")), "tooLarge"},
		"a large attribute":                    {archive(tb, withRows(`<row><c r="`+long+`"/></row>`)), "tooLarge"},
		"a large shared text in small runs": {
			archive(tb, shared("<sst><si>"+strings.Repeat("<r><t>yyyyyyyyyy</t></r>", 1<<20)+"</si></sst>")), "tooLarge",
		},
		"many shared texts":          {archive(tb, shared("<sst>"+strings.Repeat("<si><t>y</t></si>", 1<<19)+"</sst>")), "tooLarge"},
		"a shared text in every row": {archive(tb, repeated), "tooLarge"},
		"a wide row":                 {archive(tb, withRows(wide.String()+"</row>")), "tooLarge"},
		"deep elements":              {archive(tb, withRows(strings.Repeat("<a>", 1<<20))), "tooLarge"},
		"a section": {
			archive(tb, withRows("<row><c><v><![CDATA["+strings.Repeat("<x>", 1<<20)+"]]></v></c></row>")), "unreadable",
		},
		"a declaration":       {archive(tb, shared(`<!DOCTYPE x [<!ENTITY a "`+long+`">]><sst/>`)), "unreadable"},
		"too much in all":     {misstated(tb, "<sst><si><t>y</t></si></sst>", 65<<20), "tooLarge"},
		"more than is stated": {misstated(tb, "<sst>"+strings.Repeat("<si><t>y</t></si>", 1<<16)+"</sst>", 1), "unreadable"},
		"many parts":          {archive(tb, entries), "tooLarge"},
	}
}

// peak runs work and returns the maximum growth of the heap in bytes.
func peak(work func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // frequent collections keep garbage out of the measurement
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before, most := stats.HeapAlloc, stats.HeapAlloc
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	sample := time.NewTicker(time.Millisecond) // a sample stops all goroutines
	defer sample.Stop()
	for {
		select {
		case <-done:
			return most - before
		case <-sample.C:
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapAlloc)
		}
	}
}

//nolint:paralleltest // measures the memory of the process
func TestHostileFilesTakeLittleMemory(t *testing.T) {
	const ceiling = 48 << 20
	for claim, c := range hostile(t) {
		var err error
		took := peak(func() { _, err = sheet.Read(c.file, sheet.Options{}) })
		refusal, refused := errors.AsType[*sheet.Error](err)
		if !refused || refusal.Code != c.code {
			t.Errorf("%s: %v instead of %s", claim, err, c.code)
		}
		if took > ceiling {
			t.Errorf("%s took %d MB", claim, took>>20)
		}
	}
}

// TestMangledWorkbooksNeverPanic changes bytes of parts at random.
func TestMangledWorkbooksNeverPanic(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	const sample = `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c t="inlineStr"><is><t>b</t></is></c></row></sheetData></worksheet>`
	for range 2000 {
		text := []byte(sample)
		for range 3 {
			text[random.IntN(len(text))] = "<>\"'=/ArcvtisS0&;!"[random.IntN(18)]
		}
		_, err := sheet.Read(archive(t, map[string]string{"xl/worksheets/sheet1.xml": string(text)}), sheet.Options{})
		if _, refused := errors.AsType[*sheet.Error](err); err != nil && !refused {
			t.Fatalf("%v: %s", err, text)
		}
	}
}

func TestTooManyEmptyLinesAreRefused(t *testing.T) {
	t.Parallel()
	_, err := sheet.Read([]byte("a\n"+strings.Repeat("\n", 1_000_000)), sheet.Options{})
	refusal, refused := errors.AsType[*sheet.Error](err)
	if !refused || refusal.Code != "tooLarge" || !strings.Contains(refusal.Message, "500050 lines") {
		t.Errorf("got %v", err)
	}
}
