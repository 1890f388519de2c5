// Package organization is the aggregate that one actor guards: an organization's
// profile, its members with their roles and permissions, and the cap table inside
// it. Like captable it is pure: commands are decided into events, events are
// applied, and nothing here has a clock, randomness or IO.
//
// A command of the cap table travels as a [Table]; its events come back as
// [TableEvent]. Everything else is the organization's own.
//
// Personal particulars (e-mail, birth date, phone, home address, tax residence)
// are not part of the aggregate: its events are kept for ever, and particulars can
// be erased. They travel beside a command and are stored in the same transaction.
package organization
