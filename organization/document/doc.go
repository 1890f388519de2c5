// Package document contains the data room of an organization: folders, documents with their versions, their access and their
// shares, and the stored files. It is pure. The bytes of files, the addresses of shares and the log of views are outside of it.
package document
