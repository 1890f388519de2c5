package sheet_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"equity/http/sheet"
)

// told formats a table as one line: the heading, then each row with its line number.
func told(table sheet.Table) string {
	all := []string{strings.Join(table.Heading, "|")}
	for _, row := range table.Rows {
		all = append(all, fmt.Sprintf("%d:%s", row.Line, strings.Join(row.Cells, "|")))
	}
	return strings.Join(all, " ")
}

func TestReadCSV(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ file, want string }{
		"with commas":                       {"a,b\n1,2\n", "a|b 2:1|2"},
		"without a final line break":        {"a,b\n1,2", "a|b 2:1|2"},
		"with semicolons":                   {"a;b\n1;\"x;y,z\"\n", "a|b 2:1|x;y,z"},
		"with tabs":                         {"a\tb\n1\t2\n", "a|b 2:1|2"},
		"with one column":                   {"a\n1\n", "a 2:1"},
		"with a byte order mark":            {"\ufeffa,b\r\n1,2\r\n", "a|b 2:1|2"},
		"with quotes around everything":     {"\"a\",\"b\"\r\n\"say \"\"hi\"\"\",\"two\nlines\"\r\n3,4\r\n", "a|b 2:say \"hi\"|two\nlines 4:3|4"},
		"with empty lines":                  {"\n\na,b\n\n , \n,,,\n1,2\n\n", "a|b 7:1|2"},
		"with missing cells":                {"a,b,c\n1\n", "a|b|c 2:1||"},
		"with empty extra cells":            {"a,b\n1,2,,\n", "a|b 2:1|2"},
		"with surrounding white space":      {" a , b\u00a0\n 1 ,2\n", "a|b 2:1|2"},
		"with apostrophes that mark texts":  {"a,b,c\n'=1+1,'-5,'tis\n", "a|b|c 2:=1+1|-5|'tis"},
		"with formulas, which remain texts": {"a\n\"=cmd|' /C calc'!A0\"\n", "a 2:=cmd|' /C calc'!A0"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			table, err := sheet.Read([]byte(c.file))
			if err != nil {
				t.Fatal(err)
			}
			if got := told(table); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		file, code string
		line       int
	}{
		"an empty file":              {"", "empty", 0},
		"empty lines only":           {"\n , \n\n", "empty", 0},
		"another encoding":           {"a,b\nM\xfcller,1\n", "notText", 0},
		"UTF-16":                     {"\xff\xfea\x00,\x00", "notText", 0},
		"an unterminated quote":      {"a,b\n1,2\n\"x,y\n", "unreadable", 3},
		"a quote within a cell":      {"a,b\n1,x\"y\n", "unreadable", 2},
		"more cells than columns":    {"a,b\n1,2,3\n", "tooManyCells", 2},
		"a large cell":               {"a\n" + strings.Repeat("x", sheet.MaxCell+1), "tooLarge", 2},
		"too many columns":           {strings.Repeat("a,", sheet.MaxColumns), "tooLarge", 1},
		"too many rows":              {"a\n" + strings.Repeat("1\n", sheet.MaxRows+1), "tooLarge", sheet.MaxRows + 2},
		"an archive of another kind": {"PK\x03\x04 and no more", "unreadable", 0},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			table, err := sheet.Read([]byte(c.file))
			var refusal *sheet.Error
			if !errors.As(err, &refusal) {
				t.Fatalf("got %v and %v", table, err)
			}
			if refusal.Code != c.code || refusal.Line != c.line || refusal.Error() == "" {
				t.Errorf("got %s on line %d (%v), want %s on line %d", refusal.Code, refusal.Line, err, c.code, c.line)
			}
		})
	}
}

// workbook returns a workbook with the cells.
func workbook(t *testing.T, cells map[string]any) []byte {
	t.Helper()
	book := excelize.NewFile()
	for at, value := range cells {
		if err := book.SetCellValue("Sheet1", at, value); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := book.Write(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestReadWorkbook(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read(workbook(t, map[string]any{"A1": "name", "B1": "shares", "A3": "Ada", "B3": 1250.5, "A4": "'=x", "B4": "7"}))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(table), "name|shares 3:Ada|1250.5 4:=x|7"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzRead checks that no file causes a panic, and that every table is within its limits and has no blank row.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "\ufeffa;b\r\n\"x\"\"y\";2\r\n", "a\tb\n\n1", "\"", "a\n'=1", "PK\x03\x04", ",,\n\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		table, err := sheet.Read(content)
		if err != nil {
			return
		}
		if len(table.Heading) == 0 || len(table.Heading) > sheet.MaxColumns || len(table.Rows) > sheet.MaxRows {
			t.Fatalf("%d columns and %d rows", len(table.Heading), len(table.Rows))
		}
		last := 0
		for _, row := range table.Rows {
			if len(row.Cells) != len(table.Heading) || strings.Join(row.Cells, "") == "" || row.Line <= last {
				t.Fatalf("line %d has %q", row.Line, row.Cells)
			}
			last = row.Line
		}
	})
}
