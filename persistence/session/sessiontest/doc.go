// Package sessiontest is the conformance suite of package session for all backends.
package sessiontest
