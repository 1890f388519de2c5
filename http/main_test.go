package http_test

import (
	"testing"

	"equity/captable/ocf"
	"equity/confine"
	"equity/confine/confinetest"
	"equity/http/document/stamp"
	"equity/http/tables"
	"equity/http/unpack"
)

// TestMain lets the test program be the child of its servers.
func TestMain(m *testing.M) { confinetest.Main(m, stamp.Work(), tables.Work(), packageWork()) }

func packageWork() confine.Work { return unpack.Work(ocf.DefaultLimits().Bytes) }
