// Package scantest has the room for tests of the API.
package scantest

import (
	"equity/features/scan"
	"equity/http/apitest"
)

// Room returns the room without a scanner.
func Room() apitest.Room { return apitest.Room{Room: scan.Room()} }
