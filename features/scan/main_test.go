package scan_test

import (
	"os"
	"testing"

	"equity/features/scan/scantest"
	"equity/http/apitest"
)

func TestMain(m *testing.M) {
	room := scantest.Room()
	room.Values = map[string]string{"SCAN_URL": os.Getenv("TEST_SCAN_URL")}
	apitest.Main(m, room)
}
