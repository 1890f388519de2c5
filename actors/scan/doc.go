// Package scan examines stored files for malware with a clamd server.
package scan
