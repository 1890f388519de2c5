package messages

import "time"

// PageQuery selects a page of a list that is ordered by the keys of its records.
type PageQuery struct {
	// After is the key of the last record of the previous page; the zero key for the first page.
	After RecordKey
	Limit int
}

// RecordKey is the place of a record in a list: its time, and its id among records of one time. Lists by id alone have no times.
type RecordKey struct {
	At time.Time
	ID [16]byte
}
