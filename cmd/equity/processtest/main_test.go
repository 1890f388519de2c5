package processtest_test

import (
	"log"
	"testing"

	"equity/cmd/equity/processtest"
)

func TestMain(m *testing.M) {
	m.Run() // the process exits with its status
	if err := processtest.RemovePrograms(); err != nil {
		log.Print(err)
	}
}
