// Package organization is the aggregate owned by one actor: an organization's profile, its members with their
// roles and permissions, and its cap table. Like captable it is pure: commands are decided into events, events are
// applied, and the package uses no clock, randomness or I/O.
//
// A command of the cap table is wrapped in a [Table], and its events in [TableEvent]. All other commands and
// events belong to this package.
//
// Personal particulars (e-mail, birth date, phone, home address, tax residence) are not part of the aggregate,
// because its events are permanent and particulars can be erased. They accompany a command and are stored in the
// same transaction.
package organization
