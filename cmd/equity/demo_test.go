package main

import (
	"testing"

	"equity/config"
)

func TestDemoIsCreatedOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first := s.run(t, "demo")
	mustContain(t, first, "Northwind Instruments, Inc.", demoEmail, demoPassword)
	before := s.run(t, "verify")
	if again := s.run(t, "demo"); again != first {
		t.Errorf("the second output is\n%s\nwant\n%s", again, first)
	}
	if after := s.run(t, "verify"); after != before {
		t.Errorf("the second time it changed the store:\n%s\n%s", before, after)
	}
}

func TestDemoIsRefusedInProduction(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["ENVIRONMENT"], s.variables["PUBLIC_URL"] = string(config.Production), "https://equity.example.com"
	s.variables["SECRET_KEY"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	mustContain(t, s.refused(t, statusFailed, "demo"), errDemoProduction.Error())
	mustContain(t, s.run(t, "verify"), "0 organizations checked")
	if _, err := s.users(t).ByEmail(t.Context(), demoEmail); err == nil {
		t.Error("the demo's user was made")
	}
}
