// Package storetest is the conformance suite of stores for all engines. It also provides fresh
// stores to the tests of other packages.
//
// PostgreSQL and Redis are real services at TEST_DATABASE_URL and TEST_REDIS_URL. Without them a test fails; it never
// skips. Each test has its own schema, file or key prefix, which is removed at its end.
package storetest
