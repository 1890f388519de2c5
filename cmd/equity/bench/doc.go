// Package bench measures the server against plain ways of doing the same work, in
// turn and in one run, and prints the ratios. Absolute times say something about a
// machine; ratios measured side by side say something about the program.
//
// The server runs in a process of its own, so that the cost of the load client is
// known and told. What is compared: writes against a handler behind the same HTTP
// stack, session, permission and validation that does the same work as one SQL
// transaction a request; reads against a handler that writes the same bytes;
// bringing an organization to life against scanning and decoding its journal.
package bench
