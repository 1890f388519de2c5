package apitest

import (
	"testing"

	"equity/captable/ocf"
	"equity/confine"
	"equity/confine/confinetest"
	"equity/http/document/stamp"
	"equity/http/tables"
	"equity/http/unpack"
)

// Main runs the tests, whose servers have the rooms. The test program is also the child process of its servers, which read files in
// it. A package that starts servers calls Main from TestMain.
func Main(m *testing.M, rooms ...Room) {
	hosted = rooms
	confinetest.Main(m, stamp.Work(), tables.Work(), packageWork())
}

// packageWork is the unpacking of archives.
func packageWork() confine.Work { return unpack.Work(ocf.DefaultLimits().Bytes) }
