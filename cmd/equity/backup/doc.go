// Package backup writes and reads the folder that `equity backup` makes: the database, the content files, and a manifest
// with the SHA-256 of each file.
package backup
