// Package sessiontest proves that a session store does what package session promises, whichever backend is behind it.
package sessiontest
