package http_test

import (
	"testing"

	"equity/http/apitest"
)

func TestMain(m *testing.M) { apitest.Main(m, rooms()...) }
