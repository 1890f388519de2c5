package processtest_test

import (
	"flag"
	"log"
	"testing"

	"equity/cmd/equity/processtest"
)

// overlapping is the number of tests that run at the same time. Most of them wait for leases, pauses and starts, so that more of them than
// processors overlap. A long run measures times, and has the default.
const overlapping = "6"

func TestMain(m *testing.M) {
	flag.Parse()
	if !processtest.Torture() {
		if err := flag.Set("test.parallel", overlapping); err != nil {
			log.Fatal(err)
		}
	}
	m.Run() // the process exits with its status
	if err := processtest.RemovePrograms(); err != nil {
		log.Print(err)
	}
}
