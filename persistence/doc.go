// Package persistence stores all durable data: the journal and its indexes, snapshots, accounts and the other
// tables, and the outbox of mail.
//
// One schema and one set of queries serve SQLite and PostgreSQL through database/sql. Only the append and the scan of
// the journal have engine-specific implementations, because they determine the throughput. The rules for portable
// SQL: numbered parameters, times as microseconds in BIGINT, identifiers and hashes as raw bytes,
// exact numbers as TEXT, ON CONFLICT and RETURNING, but no FOR UPDATE, no now(), no ILIKE and no arrays.
//
// The package imports messages, organization and captable, but not its callers.
package persistence
