// Package trash erases the contents of documents that were in the trash for 30 days, and the bytes of erased files.
package trash
