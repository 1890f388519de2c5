package sheet

import (
	"fmt"
	"slices"
	"strconv"
)

// Remarks returns the findings of the file, with warnings about the rows that are no records, the assumed values, and the columns whose fields are
// not among those that the caller records.
func (f *Recognition) Remarks(recorded []string) []Finding {
	all := Recognition{Findings: slices.Clone(f.Findings)}
	for i := range f.Tables {
		t := &f.Tables[i]
		for _, row := range t.Above {
			all.add(SeverityWarning, TitleRow, Rows(t.Sheet, row, row), skippedMessage(row, TitleRow))
		}
		for _, skipped := range t.Skipped {
			message := skippedMessage(skipped.Row, skipped.Reason)
			if at := slices.IndexFunc(t.Pools, func(p Pool) bool { return p.Row == skipped.Row }); at >= 0 {
				message = fmt.Sprintf(
					"Row %d, %s of %s shares, is a pool and not a holder. It was not read as a record.", skipped.Row, t.Pools[at].Name,
					t.Pools[at].Quantity,
				)
			}
			all.add(SeverityWarning, skipped.Reason, Rows(t.Sheet, skipped.Row, skipped.Row), message)
		}
		all.assumptions(t)
		all.unrecorded(t, recorded)
	}
	return all.Findings
}

func skippedMessage(row int, reason string) string {
	what := map[string]string{
		TitleRow: "is above a heading", InstructionRow: "describes the columns", ExampleRow: "is an example", TotalRow: "is a total",
	}[reason]
	return "Row " + strconv.Itoa(row) + " " + what + ". It was not read as a record."
}

// assumptions adds warnings about assumed values.
func (f *Recognition) assumptions(t *Table) {
	at := Rows(t.Sheet, t.Heading, t.Heading)
	for _, field := range t.Assumed {
		switch {
		case field == "security" && len(t.Records) > 0:
			f.add(
				SeverityWarning, "assumed", at,
				"There is no column of classes. All rows are of the class "+t.Value(&t.Records[0], field)+".",
			)
		case field != "security":
			f.add(SeverityWarning, "assumed", at, "There is no column of the issued shares. The outstanding ones were read in their place.")
		}
	}
}

// unrecorded adds warnings about columns and records of a matrix that the caller does not record.
func (f *Recognition) unrecorded(t *Table, recorded []string) {
	for _, column := range t.Columns {
		if column.Field == "" || column.Filled == 0 || slices.Contains(recorded, column.Field) || t.agrees(column.Field) {
			continue
		}
		f.add(SeverityWarning, "columnIgnored", Address(t.Sheet, t.Heading, column.Column),
			fmt.Sprintf("The column %q is not recorded with %s. %s not read.", column.Heading, t.Kind, counted(column.Filled)))
	}
	for _, record := range t.Records {
		if record.Kind != "" {
			f.add(
				SeverityWarning, "columnIgnored", in(t.Sheet)+record.Cell,
				fmt.Sprintf("%s are not recorded with %s. The cell was not read.", record.Kind, t.Kind),
			)
		}
	}
}

// agrees reports whether a field says the same as another one in all records: the outstanding shares as the issued ones, and the institution as
// the name.
func (t *Table) agrees(field string) bool {
	other := map[string]string{"outstanding": "shares", "institution": "fullName"}[field]
	if other == "" || !slices.Contains(t.Fields, other) {
		return false
	}
	return !slices.ContainsFunc(t.Records, func(r Record) bool {
		value := t.Value(&r, field)
		return value != "" && value != t.Value(&r, other)
	})
}
