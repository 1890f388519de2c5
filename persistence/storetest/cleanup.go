package storetest

import "testing"

// Cleanup calls end when the test has ended, and releases it then. Package testing itself keeps the functions of all parallel tests, with
// everything that they reference, until the last test of the package has ended: thousands of servers in memory.
func Cleanup(tb testing.TB, end func()) {
	tb.Helper()
	tb.Cleanup(func() {
		now := end
		end = nil
		now()
	})
}
