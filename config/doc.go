// Package config defines all settings of the server: names, defaults, meanings
// and valid values.
//
// Settings are read once, at start, from three sources. A command line flag
// overrides the environment, the environment overrides the file named by
// EQUITY_CONFIG or --config, and the file overrides the default. Each setting
// has one name. An invalid value prevents the start; the error contains the
// setting, the value and the expected format. All invalid settings are reported
// together.
//
// The defaults need no other service: SQLite and mail files are stored under
// ./data, and sessions in the same database.
package config
