// Package session keeps who is signed in: gorilla/sessions stores on Redis and on SQL, and the few operations that a
// server needs of them.
//
// The cookie holds an identifier of 256 random bits followed by its HMAC-SHA256 under a key that the store does not
// hold. Randomness alone would keep identifiers from being guessed. The signature adds two things: who reads the store
// still cannot sign in as anybody, and what is made up is refused without asking the store. Redis, which lives
// elsewhere, needs no more than that; the SQL store, whose database also holds the sealed keys, keeps hashes of the
// identifiers only.
//
// What both stores promise, and the suite in sessiontest proves:
//   - An identifier that the store does not know is never adopted: a cookie planted before sign-in is worthless.
//   - Signing in makes a new session and ends the one that was presented.
//   - Every check pushes the expiry forward, up to an absolute age that nothing extends.
//   - A session that ended stays ended: saving a copy that was read before does not bring it back.
//   - A store that does not answer is an error, and never "not signed in".
package session
