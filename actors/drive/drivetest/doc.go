// Package drivetest is a Google Drive in memory with the recorded shapes of its API, version 3, and with faults.
package drivetest
