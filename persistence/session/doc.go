// Package session stores sessions of signed-in users: gorilla/sessions stores on Redis and on SQL, and the operations
// that a server needs.
//
// The cookie contains an identifier of 256 random bits and its HMAC-SHA256 with a key that is not in the store. Random
// identifiers alone could not be guessed. The signature adds two properties: a reader of the store cannot forge a cookie,
// and invented identifiers are refused without a query.
//
// A store keeps the SHA-256 of the identifier as the key, and the values with their HMAC-SHA256 over key and values, under another
// derived key. A writer of the store therefore makes no session, changes none, and uses no value under another key. It can end sessions, and
// restore a value of an ended session to a browser that still has its cookie, until the absolute age.
//
// Both stores guarantee the following, tested by package sessiontest:
//   - An unknown identifier is never adopted, so a cookie planted before sign-in is useless (session fixation).
//   - Signing in creates a new session and ends the presented one.
//   - A check extends the expiry up to an absolute age, unless another one did so within the last minute.
//   - An ended session is never restored, even if a copy that was read earlier is saved.
//   - A session that ends on one server is refused by the others as soon as Redis reports it, or within Options.Timeout if its
//     reports are delayed. On SQL, each check is a query.
//   - An unavailable store is an error, never "not signed in".
package session
