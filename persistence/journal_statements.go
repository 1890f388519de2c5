package persistence

// statement is a prepared statement and the element type of each of its array parameters.
type statement struct {
	name, text string
	columns    []uint32
}

// PostgreSQL's type OIDs and the code of its binary format.
const (
	oidBytea  = 17
	oidBigint = 20
	oidText   = 25
	inBinary  = 1
)

// The statements of a group.
const (
	stRows = iota
	stResources
	stJoin
	stLeave
	stPerson
	stHold
	stRelease
	stWrite
	stErase
	stSealed
	stAlarm
	stHead
	stPack
)

// groupStatements returns the statements of a group, each for any number of rows.
func groupStatements() []statement {
	return []statement{
		stRows: {
			"journal", `INSERT INTO journal (organization, sequence, recorded_at, actor, type, payload,
			idempotency_key, fingerprint, previous_hash, hash)
			SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bytea[],
			$7::text[], $8::text[], $9::bytea[], $10::bytea[])`,
			[]uint32{oidBytea, oidBigint, oidBigint, oidText, oidText, oidBytea, oidText, oidText, oidBytea, oidBytea},
		},
		stResources: {
			"resource", `INSERT INTO resource (id, organization, kind)
			SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::text[]) ON CONFLICT DO NOTHING`,
			[]uint32{oidBytea, oidBytea, oidText},
		},
		stJoin: {"join", `INSERT INTO membership (user_id, organization)
			SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT DO NOTHING`, []uint32{oidBytea, oidBytea}},
		stLeave: {
			"leave", `DELETE FROM membership USING unnest($1::bytea[], $2::bytea[]) AS gone (user_id, organization)
			WHERE membership.user_id = gone.user_id AND membership.organization = gone.organization`,
			[]uint32{oidBytea, oidBytea},
		},
		stPerson: {"person", `INSERT INTO person (entity, user_id)
			SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT DO NOTHING`, []uint32{oidBytea, oidBytea}},
		stHold: {"hold", `INSERT INTO stake (entity, organization)
			SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT DO NOTHING`, []uint32{oidBytea, oidBytea}},
		stRelease: {"release", `DELETE FROM stake USING unnest($1::bytea[], $2::bytea[]) AS gone (entity, organization)
			WHERE stake.entity = gone.entity AND stake.organization = gone.organization`, []uint32{oidBytea, oidBytea}},
		stWrite: {
			"write", `INSERT INTO particulars (organization, entity, field, value)
			SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::text[], $4::text[])
			ON CONFLICT (organization, entity, field) DO UPDATE SET value = excluded.value`,
			[]uint32{oidBytea, oidBytea, oidText, oidText},
		},
		stErase: {"erase", `DELETE FROM particulars
			USING unnest($1::bytea[], $2::bytea[], $3::text[]) AS gone (organization, entity, field)
			WHERE particulars.organization = gone.organization AND particulars.entity = gone.entity
			AND particulars.field = gone.field`, []uint32{oidBytea, oidBytea, oidText}},
		stSealed: {
			"sealed", `INSERT INTO sealed_value (organization, name, address, value, created_at)
			SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::bytea[], $5::bigint[])
			ON CONFLICT (organization, name) DO UPDATE SET address = excluded.address, value = excluded.value`,
			[]uint32{oidBytea, oidText, oidText, oidBytea, oidBigint},
		},
		stAlarm: {
			"alarm", `INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence)
			SELECT * FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) ` + onAlarm,
			[]uint32{oidBytea, oidText, oidBigint, oidBigint, oidBigint, oidBigint},
		},
		stHead: {
			"head", `INSERT INTO journal_head (organization, sequence, hash, recorded_at)
			SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bigint[])
			ON CONFLICT (organization) DO UPDATE
			SET sequence = excluded.sequence, hash = excluded.hash, recorded_at = excluded.recorded_at`,
			[]uint32{oidBytea, oidBigint, oidBytea, oidBigint},
		},
		stPack: {
			"pack", `INSERT INTO journal_pack (organization, first_sequence, recorded_at, previous_hash, last_hash, content)
			SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bytea[])`,
			[]uint32{oidBytea, oidBigint, oidBigint, oidBytea, oidBytea, oidBytea},
		},
	}
}
