package sheet_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"equity/captable/exact"
	"equity/sheet"
)

// written is a random file with what it contains.
type written struct {
	content []byte
	// rows are the values by field of each record, and stated the formats in which they are written.
	rows           []map[string]string
	numbers, dates sheet.Format
	// reached are the kinds of things that the file contains.
	reached []string
}

// author writes random files.
type author struct {
	*rand.Rand

	written
}

func (a *author) reach(what string) { a.reached = append(a.reached, what) }

func pick[T any](a *author, from ...T) T { return from[a.IntN(len(from))] }

// fields are the columns of random files.
func fields() []string {
	return []string{"holder", "security", "shares", "issueDate", "pricePerShare", "certificate"}
}

// value returns a random value of a field.
func (a *author) value(field string, row int) string {
	switch field {
	case "shares":
		return pick(a, strconv.Itoa(1+a.IntN(9)), strconv.Itoa(1000*(1+a.IntN(999))), strconv.Itoa(1+a.IntN(99_999_999)))
	case "issueDate":
		return (exact.MustDate("2000-01-01") + exact.Date(a.IntN(9000))).String()
	case "pricePerShare":
		return pick(
			a, "", "0.0001", "0.2", "1.5", "1500", "12.5", "0.125", "1000",
			exact.MustDecimal(fmt.Sprintf("%d.%04d", a.IntN(5000), a.IntN(10_000))).String(),
		)
	case "certificate":
		return pick(a, "", fmt.Sprintf("CS-%d", row), "00"+strconv.Itoa(row+1))
	case "security":
		return pick(a, "Common Stock", "Series Seed")
	}
	return pick(a, "Ada Lovelace", "Jörg Müller", "Fund, L.P.", `Say "Hi" Inc.`, "Åse; Berg", "Total SE")
}

// write returns the text of a value in the formats of the file.
func (a *author) write(field, value string, grouped bool) string {
	switch {
	case value == "" && (field == "shares" || field == "pricePerShare"):
		return pick(a, "", "-", "n/a")
	case field == "shares" || field == "pricePerShare":
		return a.number(field, value, grouped)
	case field == "issueDate":
		return a.date(value)
	}
	return value
}

// number writes a number.
func (a *author) number(field, value string, grouped bool) string {
	whole, behind, fraction := strings.Cut(value, ".")
	decimal, group := ".", ","
	if a.numbers == sheet.Comma {
		decimal, group = ",", "."
	}
	if grouped {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + group + whole[at:]
		}
		a.reach("grouped")
	}
	text := whole
	if fraction {
		text += decimal + behind
		a.reach("fraction")
	}
	if field == "pricePerShare" && a.IntN(3) == 0 {
		a.reach("currency")
		return pick(a, "$"+text, "USD "+text, text+" USD")
	}
	return text
}

// date writes a date.
func (a *author) date(value string) string {
	year, month, day := value[:4], value[5:7], value[8:]
	switch a.dates {
	case sheet.DMY:
		return day + pick(a, "/", ".") + month + "/" + year
	case sheet.MDY:
		return month + "/" + day + "/" + year
	case sheet.Point, sheet.Comma, sheet.YMD:
	}
	return value
}

// file returns a random text file.
func (a *author) file() written {
	a.numbers, a.dates = pick(a, sheet.Point, sheet.Comma), pick(a, sheet.DMY, sheet.MDY, "")
	columns := fields()
	a.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	grouped := a.IntN(2) == 0
	var lines [][]string
	if a.IntN(3) == 0 {
		a.reach("title")
		lines = append(lines, []string{"Stock ledger of Sample Inc."})
	}
	headings := map[string][]string{
		"holder": {"holder", "Shareholder", "Stakeholder Name", "Gesellschafter"}, "security": {"security", "Share Class", "Aktienart"},
		"shares":    {"shares", "Quantity", "# of Shares", "Anzahl"},
		"issueDate": {"issueDate", "Issue Date", "Datum"}, "pricePerShare": {"Price Per Share", "pricePerShare", "Preis"},
		"certificate": {"Certificate", "Cert No."},
	}
	heading := make([]string, len(columns))
	for i, column := range columns {
		heading[i] = pick(a, headings[column]...)
	}
	lines = append(lines, heading)
	if a.IntN(4) == 0 {
		a.reach("example")
		example := make([]string, len(columns))
		example[0] = "Example: Ada"
		lines = append(lines, example)
	}
	sum := 0
	for row := range 1 + a.IntN(6) {
		record, line := map[string]string{}, make([]string, len(columns))
		for i, column := range columns {
			record[column] = a.value(column, row)
			line[i] = a.write(column, record[column], grouped)
		}
		shares, _ := strconv.Atoi(record["shares"])
		sum += shares
		a.rows, lines = append(a.rows, record), append(lines, line)
		if a.IntN(5) == 0 {
			lines = append(lines, make([]string, len(columns)))
		}
	}
	if a.IntN(3) == 0 {
		a.reach("total")
		total := make([]string, len(columns))
		total[slices.Index(columns, "holder")] = pick(a, "Total", "Summe", "Total shares")
		total[slices.Index(columns, "shares")] = a.number("shares", strconv.Itoa(sum), grouped)
		lines = append(lines, total)
	}
	a.content = a.encode(lines)
	return a.written
}

// encode writes the lines as delimited text.
func (a *author) encode(lines [][]string) []byte {
	delimiter, end := pick(a, ",", ";", "\t", "|"), pick(a, "\n", "\r\n", "\r")
	a.reach("separator " + delimiter)
	var text strings.Builder
	for _, line := range lines {
		for i, cell := range line {
			if i > 0 {
				text.WriteString(delimiter)
			}
			if strings.ContainsAny(cell, delimiter+"\"") || a.IntN(5) == 0 {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			text.WriteString(cell)
		}
		text.WriteString(end)
	}
	var encoded []byte
	var err error
	switch form := pick(a, "utf-8", "utf-16", "windows-1252"); form {
	case "utf-16":
		a.reach(form)
		encoded, err = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(text.String()))
	case "windows-1252":
		a.reach(form)
		encoded, err = charmap.Windows1252.NewEncoder().Bytes([]byte(text.String()))
	default:
		encoded = []byte(text.String())
	}
	if err != nil {
		panic(err)
	}
	return encoded
}

// read recognizes the shareholdings in a file.
func read(t *testing.T, r *sheet.Registry, w written, stated bool) sheet.Recognition {
	t.Helper()
	book, err := sheet.Read(w.content, sheet.Options{})
	if err != nil {
		t.Fatalf("%v: %q", err, w.content)
	}
	q := sheet.Question{Kind: "shareholdings", Currency: "USD", Classes: []string{"Common Stock", "Series Seed"}, Today: exact.MustDate("2026-11-28")}
	if stated {
		q.Numbers, q.Dates = w.numbers, w.dates
	}
	return r.Tables(book, q)
}

// compare requires that each cell has the written value, or a fault. A file with stated formats has no fault. It returns the number of faults.
func compare(t *testing.T, w written, found sheet.Recognition, stated bool) (faults int) {
	t.Helper()
	if len(found.Tables) != 1 || len(found.Tables[0].Records) != len(w.rows) {
		t.Fatalf("%d records are written: %+v\n%s", len(w.rows), found, w.content)
	}
	table := &found.Tables[0]
	for i, row := range w.rows {
		record := &table.Records[i]
		for field, want := range row {
			at := slices.IndexFunc(record.Faults, func(f sheet.RecordFault) bool { return f.Field == field })
			got := table.Value(record, field)
			switch {
			case at >= 0 && stated:
				t.Fatalf("%s: %+v\n%s", field, record.Faults[at], w.content)
			case at >= 0:
				faults++
			case got != want:
				t.Fatalf("%s: got %q, want %q\n%s", field, got, want, w.content)
			}
		}
	}
	return faults
}

// budget returns a function that reports whether a property has time for another round: 300 rounds, or TORTURE_SECONDS.
func budget() func() bool {
	seconds, err := strconv.Atoi(os.Getenv("TORTURE_SECONDS"))
	end, rounds := time.Now().Add(time.Duration(seconds)*time.Second), 0
	return func() bool {
		rounds++
		return rounds <= 300 || err == nil && time.Now().Before(end)
	}
}

// firstSeed returns the seed of a property: always the same, or a new one with TORTURE_SECONDS.
func firstSeed() uint64 {
	if os.Getenv("TORTURE_SECONDS") == "" {
		return 1
	}
	return uint64(time.Now().UnixNano())
}

// TestInvariantOfCells requires of random files that each cell is read rightly or named in a finding, and of those with stated formats that each
// cell is read.
func TestInvariantOfCells(t *testing.T) {
	t.Parallel()
	r, seed := registry(t), firstSeed()
	reached := map[string]int{
		"title": 0, "example": 0, "total": 0, "grouped": 0, "fraction": 0, "currency": 0, "utf-16": 0, "windows-1252": 0, "fault": 0,
		"complete": 0,
	}
	more := budget()
	for round := uint64(0); more(); round++ {
		a := author{Rand: rand.New(rand.NewPCG(seed, round))}
		w := a.file()
		for _, what := range w.reached {
			reached[what]++
		}
		compare(t, w, read(t, r, w, true), true)
		if compare(t, w, read(t, r, w, false), false) > 0 {
			reached["fault"]++
		} else {
			reached["complete"]++
		}
	}
	for what, count := range reached {
		if count == 0 {
			t.Errorf("no file with %s, seed %d", what, seed)
		}
	}
}

// TestInvariantOfWorkbooks requires that the values of random workbooks are read as they were written.
func TestInvariantOfWorkbooks(t *testing.T) {
	t.Parallel()
	r, seed := registry(t), firstSeed()
	more := budget()
	for round := uint64(0); more() && (round < 30 || os.Getenv("TORTURE_SECONDS") != ""); round++ {
		a := author{Rand: rand.New(rand.NewPCG(seed, round))}
		a.workbook(t)
		compare(t, a.written, read(t, r, a.written, false), true)
	}
}

// workbook writes a random workbook with typed cells.
func (a *author) workbook(t *testing.T) {
	t.Helper()
	book := excelize.NewFile()
	later := a.IntN(2) == 0
	err := book.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &later})
	set := func(row, column int, value any) {
		name, failed := excelize.CoordinatesToCellName(column+1, row)
		if err = either(err, failed); err == nil {
			err = book.SetCellValue("Sheet1", name, value)
		}
	}
	for column, field := range fields() {
		set(1, column, field)
	}
	for row := range 1 + a.IntN(6) {
		record := map[string]string{}
		for column, field := range fields() {
			value := a.value(field, row)
			record[field] = value
			switch {
			case value == "":
			case field == "shares":
				number, _ := strconv.Atoi(value)
				set(row+2, column, number)
			case field == "pricePerShare":
				number, _ := strconv.ParseFloat(value, 64)
				set(row+2, column, number)
			case field == "issueDate":
				set(row+2, column, exact.MustDate(value).Time())
			default:
				set(row+2, column, value)
			}
		}
		a.rows = append(a.rows, record)
	}
	var content bytes.Buffer
	if err = either(err, book.Write(&content)); err != nil {
		t.Fatal(err)
	}
	a.content = content.Bytes()
}

func either(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
