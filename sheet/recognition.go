package sheet

import "equity/captable/exact"

// Question selects what is read from a file, and with which knowledge.
type Question struct {
	// Kind is the kind of the records; empty for all.
	Kind string `json:"kind,omitempty"`
	// Classes are the names of the classes of the organization, and Currency is the code of its currency.
	Classes  []string `json:"classes,omitempty"`
	Currency string   `json:"currency,omitempty"`
	// Hints suggest formats. Without hints, no format is assumed.
	Hints Hints      `json:"hints"`
	Today exact.Date `json:"today"`
	// Numbers and Dates are the formats that a person has chosen.
	Numbers Format `json:"numbers,omitempty"`
	Dates   Format `json:"dates,omitempty"`
	// Fractional permits quantities that are not whole.
	Fractional bool `json:"fractional,omitempty"`
	// Sheet is the name of the only sheet to be read. If it is empty, all visible sheets are read.
	Sheet string `json:"sheet,omitempty"`
}

// Recognition is the tables of a file, in its order, and the findings about them.
type Recognition struct {
	Tables   []Table   `json:"tables"`
	Findings []Finding `json:"findings"`
}

// Table is a table of records of one kind.
type Table struct {
	Sheet string `json:"sheet,omitempty"`
	// Heading is the number of its row.
	Heading int    `json:"heading"`
	Kind    string `json:"kind"`
	// Matrix reports that the columns are classes: each filled cell is a record.
	Matrix  bool          `json:"matrix,omitempty"`
	Columns []TableColumn `json:"columns"`
	// Fields are the fields of the records.
	Fields  []string `json:"fields"`
	Records []Record `json:"records"`
	// Skipped are the rows that are no records. Above are those between the previous table and the heading.
	Skipped []Skipped `json:"skipped,omitempty"`
	Above   []int     `json:"above,omitempty"`
	Pools   []Pool    `json:"pools,omitempty"`
	// Assumed are the fields whose values or meaning a person must confirm.
	Assumed []string `json:"assumed,omitempty"`
}

// TableColumn is a column of a table.
type TableColumn struct {
	Column int `json:"column"`
	// Heading is the text of the heading.
	Heading string `json:"heading"`
	// Field is empty if the column has no known meaning.
	Field string `json:"field,omitempty"`
	// Filled is the number of its filled cells.
	Filled int `json:"filled,omitempty"`
	// Currency is the code in the heading.
	Currency string `json:"-"`
	// normal is the normal form of the heading, and second the field that an earlier column has already.
	normal, second string
	// unclear reports that the values do not show the meaning.
	unclear bool
	// class reports a class of a matrix.
	class bool
	// Read is the format of the cells, and their values by index until the records are read.
	Read Column `json:"-"`
}

// Record is a record of a table.
type Record struct {
	// Kind is empty for the kind of the table. Some columns of a matrix have another one.
	Kind string `json:"k,omitempty"`
	Row  int    `json:"n"`
	// Cell is the address of the quantity of a record of a matrix.
	Cell string `json:"a,omitempty"`
	// Values are the canonical texts by field of the table. An absent value is empty. The amount in another currency than that of the
	// organization has its code, such as 1.5 EUR.
	Values []string `json:"v"`
	// Faults are the fields whose cell could not be read.
	Faults []RecordFault `json:"f,omitempty"`
}

// RecordFault is the reason why a cell was not read.
type RecordFault struct {
	Field string `json:"field"`
	Code  string `json:"code"`
	// Cell is the address, and Text the beginning of the text.
	Cell    string `json:"cell"`
	Text    string `json:"text"`
	Message string `json:"message"`
}

// Skipped is a row that is no record.
type Skipped struct {
	Row    int    `json:"row"`
	Reason string `json:"reason"`
}

// Pool is a row of shares that are reserved for grants.
type Pool struct {
	Row      int    `json:"row"`
	Name     string `json:"name"`
	Quantity string `json:"quantity"`
}

// The reasons for skipping a row.
const (
	TitleRow       = "titleRow"
	InstructionRow = "instructionRow"
	ExampleRow     = "exampleRow"
	TotalRow       = "totalRow"
	PoolRow        = "poolRow"
)

// Value returns the value of a field of a record; empty if it is absent.
func (t *Table) Value(record *Record, field string) string {
	for i, name := range t.Fields {
		if name == field {
			return record.Values[i]
		}
	}
	return ""
}

func (f *Recognition) add(severity, code, cell, message string) {
	f.Findings = append(f.Findings, Finding{Severity: severity, Code: code, Cell: cell, Message: message})
}
