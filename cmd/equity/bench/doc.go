// Package bench compares the server with simple implementations of the same work,
// in alternation within one run, and prints the ratios. Absolute times depend on the
// machine; ratios of alternating measurements describe the program.
//
// The server runs in its own process, so that the cost of the load client is
// measured separately. The comparisons are: writes with a handler behind the same HTTP
// stack, session, permission and validation that executes one SQL
// transaction per request; reads with a handler that writes the same bytes; and
// loading an organization with scanning and decoding its journal.
package bench
