package webhook_test

import (
	"testing"

	"equity/features/webhook/webhooktest"
	"equity/http/apitest"
)

func TestMain(m *testing.M) { apitest.Main(m, webhooktest.Room()) }
