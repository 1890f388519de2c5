package sheet_test

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"equity/sheet"
)

func TestTextFilesAreRead(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ file, want string }{
		"with commas":                       {"a,b\n1,2\n", "1:a|b 2:1|2"},
		"without a final line break":        {"a,b\n1,2", "1:a|b 2:1|2"},
		"with semicolons":                   {"a;b\n1;\"x;y,z\"\n", "1:a|b 2:1|x;y,z"},
		"with tabs":                         {"a\tb\n1\t2\n", "1:a|b 2:1|2"},
		"with bars":                         {"a|b\n1|2\n", "1:a|b 2:1|2"},
		"with decimal commas":               {"a;b\n1,5;2,5\n3,5;4\n", "1:a|b 2:1,5|2,5 3:3,5|4"},
		"with one column":                   {"a\n1\n", "1:a 2:1"},
		"with a byte order mark":            {"\ufeffa,b\r\n1,2\r\n", "1:a|b 2:1|2"},
		"with a separator in quotes":        {"\"sep=;\"\r\na;b\r\n", "2:a|b"},
		"with quotes around everything":     {"\"a\",\"b\"\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\n3,4\r\n", "1:a|b 2:say \"hi\"|two lines 4:3|4"},
		"with empty lines":                  {"\n\na,b\n\n , \n,,,\n1,2\n\n", "3:a|b 7:1|2"},
		"with surrounding white space":      {" a , b\u00a0\n 1 ,2\n", "1:a|b 2:1|2"},
		"with zero-width characters":        {"a\u200bb,c\n", "1:ab|c"},
		"with accents of two characters":    {"a\u0308,b\n", "1:ä|b"},
		"with apostrophes that mark texts":  {"a,b,c\n'=1+1,'-5,'tis\n", "1:a|b|c 2:=1+1|-5|'tis"},
		"with formulas, which remain texts": {"a\n\"=cmd|' /C calc'!A0\"\n", "1:a 2:=cmd|' /C calc'!A0"},
		"with empty cells beyond the limit": {"a,b\n1,2" + strings.Repeat(",", 2*sheet.MaxColumns) + "\n", "1:a|b 2:1|2"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			book, err := sheet.Read([]byte(c.file), sheet.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := told(book); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestUnreadableFilesAreRefusedWithTheirLine(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		file, code string
		line       int
	}{
		"an unterminated quote":      {"a,b\n1,2\n\"x,y\n", "unreadable", 3},
		"a quote within a cell":      {"a,b\n1,x\"y\n", "unreadable", 2},
		"text behind a quote":        {"a,b\n\"x\"y,1\n", "unreadable", 2},
		"zeros":                      {"a,b\n\x00,1,2,3,4\n", "notText", 0},
		"a large cell":               {"a\n" + strings.Repeat("x", sheet.MaxCell+1), "tooLarge", 2},
		"too many columns":           {strings.Repeat("a,", sheet.MaxColumns) + "a", "tooLarge", 1},
		"too many rows":              {"a\n" + strings.Repeat("1\n", sheet.MaxRows+200), "tooLarge", sheet.MaxRows + 201},
		"an archive of another kind": {"PK\x03\x04 and no more", "unreadable", 0},
		"a workbook of old format":   {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "unreadable", 0},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			book, err := sheet.Read([]byte(c.file), sheet.Options{})
			refusal, ok := errors.AsType[*sheet.Error](err)
			if !ok {
				t.Fatalf("got %v and %v", book, err)
			}
			if refusal.Code != c.code || refusal.Line != c.line || refusal.Error() == "" {
				t.Errorf("got %s on line %d (%v), want %s on line %d", refusal.Code, refusal.Line, err, c.code, c.line)
			}
		})
	}
}

func TestUndefinedBytesNeedAnEncoding(t *testing.T) {
	t.Parallel()
	const file = "name\n\x81\x40\n" // a space of Shift JIS, which Windows-1252 does not define
	book, err := sheet.Read([]byte(file), sheet.Options{})
	if err != nil || len(book.Sheets) > 0 || len(book.Findings) != 1 || book.Findings[0].Code != "encodingUnknown" {
		t.Errorf("%+v, %v", book, err)
	}
	for encoding, want := range map[string]int{"shift_jis": 0, "klingon": 1, "utf-8": 1} {
		if book, err = sheet.Read([]byte(file), sheet.Options{Encoding: encoding}); err != nil || len(book.Findings) != want {
			t.Errorf("%s: %+v, %v", encoding, book, err)
		}
	}
}

// codes returns the findings of a book as "code cell".
func codes(book sheet.Book) string {
	var all []string
	for _, finding := range book.Findings {
		all = append(all, finding.Code+" "+finding.Cell)
	}
	return strings.Join(all, ", ")
}

func TestCellsWithoutMeaningAreNamed(t *testing.T) {
	t.Parallel()
	date := map[string]string{"xl/styles.xml": `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`}
	date["xl/_rels/workbook.xml.rels"] = strings.NewReplacer("sharedStrings.xml", "styles.xml", "/sharedStrings", "/styles").Replace(relations)
	for rows, want := range map[string]string{
		`<row><c><f>A2</f></c><c><f>A2</f><v/></c><c t="str"><f>A2</f><v></v></c></row>`:   "noCachedValue A!A1, noCachedValue A!B1",
		`<row><c s="1"><v>60</v></c><c s="1"><v>-1</v></c><c s="1"><v>1E300</v></c></row>`: "invalidDate A!A1, invalidDate A!B1, invalidDate A!C1",
		`<row><c t="d"><v>2024-02-30</v></c></row>`:                                        "invalidDate A!A1",
		`<row><c><v>1E999</v></c><c><v>x</v></c></row>`:                                    "invalidNumber A!A1, invalidNumber A!B1",
	} {
		parts := withRows(rows)
		maps.Copy(parts, date)
		book, err := sheet.Read(archive(t, parts), sheet.Options{})
		if err != nil || codes(book) != want {
			t.Errorf("%s: %q, %v", rows, codes(book), err)
		}
	}
}

func TestMergedAndHiddenRowsAreNamed(t *testing.T) {
	t.Parallel()
	parts := map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData>
		<row r="1"><c r="A1"><v>7</v></c><c r="B1"><v>1</v></c></row><row r="2" hidden="1"><c r="B2"><v>2</v></c></row>
		<row r="3" hidden="1"/><row r="4" hidden="1"><c r="B4"><v>4</v></c></row><row r="6" hidden="1"/>
		</sheetData><mergeCells><mergeCell ref="A1:A5"/><mergeCell ref="C1:D1"/></mergeCells></worksheet>`}
	book, err := sheet.Read(archive(t, parts), sheet.Options{})
	if err != nil || told(book) != "1:7|1 2:7|2 4:7|4" || codes(book) != "hiddenRows A!2:4, mergedFilled A!A1" {
		t.Errorf("%q, %q, %v", told(book), codes(book), err)
	}
}

func TestSheetBeyondALimitLeavesTheOthers(t *testing.T) {
	t.Parallel()
	parts := map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="x"><sheets><sheet name="A" r:id="s1"/><sheet name="B" r:id="s3"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": strings.Replace(relations, "</Relationships>",
			`<Relationship Id="s3" Type="x/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`, 1),
		"xl/worksheets/sheet2.xml": `<worksheet><sheetData><row><c r="CW1"><v>1</v></c></row></sheetData></worksheet>`,
	}
	book, err := sheet.Read(archive(t, parts), sheet.Options{})
	if err != nil || told(book) != "1:name 2:Ada Lovelace" || book.Sheets[1].Refusal == nil || book.Sheets[1].Rows != nil {
		t.Errorf("%+v, %v", book, err)
	}
}

func TestWorkbooksOfExcelizeAreRead(t *testing.T) {
	t.Parallel()
	file := excelize.NewFile()
	for at, value := range map[string]any{"A1": "name", "B1": "shares", "A3": "Ada", "B3": 1250.5, "A4": "'=x", "B4": "7", "C4": true} {
		if err := file.SetCellValue("Sheet1", at, value); err != nil {
			t.Fatal(err)
		}
	}
	var content bytes.Buffer
	if err := file.Write(&content); err != nil {
		t.Fatal(err)
	}
	book, err := sheet.Read(content.Bytes(), sheet.Options{})
	if err != nil || told(book) != "1:name|shares 3:Ada|1250.5 4:=x|7|true" {
		t.Errorf("%+v, %v", book, err)
	}
}

// FuzzRead checks that no file causes a panic, and that every cell is within its limits.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "\ufeffa;b\r\n\"x\"\"y\";2\r\n", "a\tb\n\n1", "\"", "a\n'=1", "PK\x03\x04", ",,\n\x00", "sep=;\ra;b\r",
		"\xff\xfea\x00;\x00", "\xfe", "\x81",
	} {
		f.Add([]byte(seed))
	}
	f.Add(archive(f, nil))
	f.Add(archive(f, withRows(`<row hidden="1"><c s="0"><f>1</f></c><c t="d"><v>2024</v></c><c><v>1E5</v></c></row>`)))
	f.Fuzz(func(t *testing.T, content []byte) {
		book, err := sheet.Read(content, sheet.Options{Rows: 100})
		if err != nil {
			if _, refused := errors.AsType[*sheet.Error](err); !refused {
				t.Fatal(err)
			}
			return
		}
		for _, read := range book.Sheets {
			last := 0
			for _, row := range read.Rows {
				if len(row.Cells) == 0 || row.Number <= last {
					t.Fatalf("row %d behind %d has %v", row.Number, last, row.Cells)
				}
				last = row.Number
			}
		}
	})
}
