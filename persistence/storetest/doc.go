// Package storetest proves that a store does what persistence promises, whichever engine is behind it, and lends fresh
// stores to the tests of other packages.
//
// PostgreSQL and Redis are real: TEST_DATABASE_URL and TEST_REDIS_URL say where. Without them a test fails; it never
// skips. Every test has a schema, a file or a key prefix of its own, and leaves nothing behind.
package storetest
