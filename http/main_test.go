package http_test

import (
	"testing"

	"equity/confine/confinetest"
	"equity/http/document/stamp"
	"equity/http/sheet"
)

// TestMain lets the test program be the child of its servers.
func TestMain(m *testing.M) { confinetest.Main(m, stamp.Work(), sheet.Work()) }
