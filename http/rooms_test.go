package http_test

import (
	"equity/features/chat/chattest"
	"equity/features/drive/drivetest"
	"equity/features/scan/scantest"
	"equity/features/webhook/webhooktest"
	"equity/http/apitest"
)

// rooms lists the rooms of the servers of these tests, one a line. Several tests concern every operation of the contract.
func rooms() []apitest.Room {
	return []apitest.Room{
		chattest.Room(),
		drivetest.Room(),
		scantest.Room(),
		webhooktest.Room(),
	}
}
