// Package drivetest is a Google Drive in memory with the recorded shapes of its API, version 3, and with faults. It has the room for tests of
// the API.
package drivetest
