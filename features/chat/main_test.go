package chat_test

import (
	"testing"

	"equity/features/chat/chattest"
	"equity/http/apitest"
)

func TestMain(m *testing.M) { apitest.Main(m, chattest.Room()) }
