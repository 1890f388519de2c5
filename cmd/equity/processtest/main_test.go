package processtest_test

import (
	"log"
	"testing"

	"equity/cmd/equity/processtest"
)

func TestMain(m *testing.M) {
	m.Run() // its status is what the process ends with
	if err := processtest.RemovePrograms(); err != nil {
		log.Print(err)
	}
}
