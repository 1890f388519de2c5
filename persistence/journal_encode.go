package persistence

import (
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgconn"

	"equity/messages"
)

// groupEncoder encodes groups as pipelines. Its buffers are reused.
type groupEncoder struct {
	statements []statement
	columns    [10][]byte // the arrays of the statement being encoded
	batch      *pgconn.Batch
}

// encode returns the pipeline of a group. The pipeline must be sent before the next call. Statements without rows
// are omitted.
func (e *groupEncoder) encode(group []messages.Append) *pgconn.Batch {
	e.batch = &pgconn.Batch{}
	e.encodeRows(group)
	x := indexesOf(group)
	e.encodeResources(x.resources)
	e.encodeKeys(stJoin, len(x.memberships.added), func(i int) ([16]byte, [16]byte) {
		return x.memberships.added[i].user, x.memberships.added[i].organization
	})
	e.encodeKeys(stLeave, len(x.memberships.removed), func(i int) ([16]byte, [16]byte) {
		return x.memberships.removed[i].user, x.memberships.removed[i].organization
	})
	e.encodeKeys(stPerson, len(x.persons), func(i int) ([16]byte, [16]byte) { return x.persons[i].entity, x.persons[i].user })
	e.encodeKeys(stHold, len(x.stakes.added), func(i int) ([16]byte, [16]byte) {
		return x.stakes.added[i].entity, x.stakes.added[i].organization
	})
	e.encodeKeys(stRelease, len(x.stakes.removed), func(i int) ([16]byte, [16]byte) {
		return x.stakes.removed[i].entity, x.stakes.removed[i].organization
	})
	e.encodeParticulars(x)
	e.encodeSealed(x.sealed)
	e.encodeAlarms(x.alarms)
	e.encodeHeads(x.heads)
	return e.batch
}

func (e *groupEncoder) encodeRows(group []messages.Append) {
	number := 0
	for i := range group {
		number += len(group[i].Rows)
	}
	if !e.begin(stRows, number) {
		return
	}
	c := &e.columns
	for i := range group {
		for k := range group[i].Rows {
			r := &group[i].Rows[k]
			c[0] = appendBytes(c[0], r.Organization[:])
			c[1] = appendBigint(c[1], int64(r.Sequence)) //nolint:gosec // a sequence counts from 1
			c[2] = appendBigint(c[2], Micros(r.RecordedAt))
			c[3] = appendText(c[3], r.By)
			c[4] = appendText(c[4], r.Type)
			c[5] = appendBytes(c[5], r.Payload)
			c[6] = appendText(c[6], r.IdempotencyKey)
			c[7] = appendText(c[7], r.Fingerprint)
			c[8] = appendBytes(c[8], r.PreviousHash[:])
			c[9] = appendBytes(c[9], r.Hash[:])
		}
	}
	e.end(stRows)
}

func (e *groupEncoder) encodeResources(rows []resourceRow) {
	if !e.begin(stResources, len(rows)) {
		return
	}
	c := &e.columns
	for i := range rows {
		c[0] = appendBytes(c[0], rows[i].id[:])
		c[1] = appendBytes(c[1], rows[i].organization[:])
		c[2] = appendText(c[2], rows[i].kind)
	}
	e.end(stResources)
}

// encodeKeys encodes a statement on a table with two id columns.
func (e *groupEncoder) encodeKeys(which, number int, key func(i int) (first, second [16]byte)) {
	if !e.begin(which, number) {
		return
	}
	for i := range number {
		first, second := key(i)
		e.columns[0] = appendBytes(e.columns[0], first[:])
		e.columns[1] = appendBytes(e.columns[1], second[:])
	}
	e.end(which)
}

// encodeParticulars encodes changed and erased particulars by column, as one statement with arrays for the
// whole group.
func (e *groupEncoder) encodeParticulars(x *indexes) {
	c := &e.columns
	if e.begin(stWrite, len(x.written)) {
		for i := range x.written {
			c[0] = appendBytes(c[0], x.written[i].organization[:])
			c[1] = appendBytes(c[1], x.written[i].entity[:])
			c[2] = appendText(c[2], x.written[i].field)
			c[3] = appendText(c[3], x.written[i].value)
		}
		e.end(stWrite)
	}
	if e.begin(stErase, len(x.erased)) {
		for i := range x.erased {
			c[0] = appendBytes(c[0], x.erased[i].organization[:])
			c[1] = appendBytes(c[1], x.erased[i].entity[:])
			c[2] = appendText(c[2], x.erased[i].field)
		}
		e.end(stErase)
	}
}

// encodeSealed encodes the sealed values of the group.
func (e *groupEncoder) encodeSealed(values []sealedRow) {
	if !e.begin(stSealed, len(values)) {
		return
	}
	c := &e.columns
	for i := range values {
		v := &values[i]
		c[0] = appendBytes(c[0], v.organization[:])
		c[1] = appendText(c[1], v.Name)
		c[2] = appendText(c[2], v.Address)
		c[3] = appendBytes(c[3], v.Value)
		c[4] = appendBigint(c[4], v.created)
	}
	e.end(stSealed)
}

// encodeAlarms encodes the alarms of the consumers that want events of the group.
func (e *groupEncoder) encodeAlarms(alarms []alarmRow) {
	if !e.begin(stAlarm, len(alarms)) {
		return
	}
	c := &e.columns
	for i := range alarms {
		a := &alarms[i]
		c[0] = appendBytes(c[0], a.organization[:])
		c[1] = appendText(c[1], a.consumer)
		for column, number := range []int64{a.due, a.leased, a.first, a.last} {
			c[column+2] = appendBigint(c[column+2], number)
		}
	}
	e.end(stAlarm)
}

// encodeHeads encodes the new last rows of the group's journals.
func (e *groupEncoder) encodeHeads(heads []headRow) {
	if !e.begin(stHead, len(heads)) {
		return
	}
	c := &e.columns
	for i := range heads {
		c[0] = appendBytes(c[0], heads[i].organization[:])
		c[1] = appendBigint(c[1], int64(heads[i].sequence)) //nolint:gosec // a sequence counts from 1
		c[2] = appendBytes(c[2], heads[i].hash[:])
		c[3] = appendBigint(c[3], heads[i].recorded)
	}
	e.end(stHead)
}

// encodePacks returns the pipeline of packs. It must be sent before the next call.
func (e *groupEncoder) encodePacks(batch *messages.Append, packs []messages.Pack) *pgconn.Batch {
	e.batch = &pgconn.Batch{}
	e.begin(stPack, len(packs))
	c := &e.columns
	for _, pack := range packs {
		first, last := &batch.Rows[pack.From], &batch.Rows[pack.From+pack.Rows-1]
		c[0] = appendBytes(c[0], first.Organization[:])
		c[1] = appendBigint(c[1], int64(first.Sequence)) //nolint:gosec // a sequence counts from 1
		c[2] = appendBigint(c[2], Micros(first.RecordedAt))
		c[3] = appendBytes(c[3], first.PreviousHash[:])
		c[4] = appendBytes(c[4], last.Hash[:])
		c[5] = appendBytes(c[5], pack.Content)
	}
	e.end(stPack)
	return e.batch
}

// begin starts the arrays of a statement. It returns false if the statement has no rows.
func (e *groupEncoder) begin(which, number int) bool {
	if number == 0 {
		return false
	}
	for i, oid := range e.statements[which].columns {
		header := e.columns[i][:0]
		header = binary.BigEndian.AppendUint32(header, 1) // dimensions
		header = binary.BigEndian.AppendUint32(header, 0) // no NULL values
		header = binary.BigEndian.AppendUint32(header, oid)
		header = binary.BigEndian.AppendUint32(header, uint32(number)) //nolint:gosec // far below 2^31
		header = binary.BigEndian.AppendUint32(header, 1)              // index of the first element
		e.columns[i] = header
	}
	return true
}

// end adds the statement and its arrays to the pipeline, which copies them.
func (e *groupEncoder) end(which int) {
	number := len(e.statements[which].columns)
	e.batch.ExecPrepared(e.statements[which].name, e.columns[:number], []int16{inBinary}, nil)
}

func appendBytes(array, value []byte) []byte {
	array = binary.BigEndian.AppendUint32(array, uint32(len(value))) //nolint:gosec // PostgreSQL's limit is 1 GB
	return append(array, value...)
}

func appendText(array []byte, value string) []byte {
	array = binary.BigEndian.AppendUint32(array, uint32(len(value))) //nolint:gosec // PostgreSQL's limit is 1 GB
	return append(array, value...)
}

func appendBigint(array []byte, value int64) []byte {
	array = binary.BigEndian.AppendUint32(array, 8)
	return binary.BigEndian.AppendUint64(array, uint64(value)) //nolint:gosec // the same 64 bits
}
