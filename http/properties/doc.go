// Package properties tests the whole server with random histories. A history is a sequence
// of commands of the API. The tests run it through the HTTP handler on SQLite and on
// PostgreSQL, and check claims about every answer.
package properties
