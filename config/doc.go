// Package config holds every setting of the server: its name, its default,
// what it means and what a valid value is.
//
// Settings are read once, before anything starts, from three places. A flag of
// the command line wins over the environment, the environment wins over the
// file named by EQUITY_CONFIG or --config, and the file wins over the default.
// No setting has two names. A value that is wrong stops the start with a
// sentence that names the setting, the value and what is expected; all wrong
// settings are named at once, so that a new installation is not fixed one
// restart at a time.
//
// With nothing set the server needs no other service: SQLite and mail files
// lie under ./data, and sessions are kept in the same database.
package config
