package main

import (
	"testing"

	"equity/confine/confinetest"
)

// TestMain lets the test program be the child of its servers.
func TestMain(m *testing.M) { confinetest.Main(m, works()...) }
