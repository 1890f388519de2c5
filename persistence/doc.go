// Package persistence keeps what must outlive the process: the journal and the indexes that move with it, snapshots,
// people and the other ordinary tables, and the mail that waits to be sent.
//
// One schema and one set of queries serve SQLite and PostgreSQL through database/sql. Only the journal's append and
// scan have a path of their own for each engine, because they are what everything else waits for. The rules for SQL
// that runs on both: numbered parameters, moments as microseconds in BIGINT, identifiers and hashes as raw bytes,
// exact numbers as TEXT, ON CONFLICT and RETURNING, but no FOR UPDATE, no now(), no ILIKE and no arrays.
//
// The package knows messages, organization and captable, and nobody who calls it.
package persistence
