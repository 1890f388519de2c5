package hook_test

import (
	"testing"

	"equity/features/hook/hooktest"
	"equity/http/apitest"
)

func TestMain(m *testing.M) { apitest.Main(m, hooktest.Room()) }
