package drive_test

import (
	"testing"

	"equity/features/drive/drivetest"
	"equity/http/apitest"
)

func TestMain(m *testing.M) { apitest.Main(m, drivetest.Room()) }
