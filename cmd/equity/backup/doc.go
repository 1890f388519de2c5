// Package backup writes and reads the backup folder of `equity backup`: the database, the content files, and a manifest
// with the SHA-256 of each file.
package backup
