package main

import (
	"strings"
	"testing"

	"equity/cmd/equity/calc"
)

func TestCalc(t *testing.T) {
	t.Parallel()
	t.Run("calc answers a case on standard output", func(t *testing.T) {
		t.Parallel()
		a := setup(t).runWith(t, `{"base": "2025-01-31", "add": 1, "unit": "months"}`, "calc", "date")
		if a.status != statusDone || strings.TrimSpace(a.out) != `"2025-02-28"` {
			t.Errorf("status %d: %s%s", a.status, a.out, a.errors)
		}
	})
	t.Run("calc exits with status 2 for unusable input", func(t *testing.T) {
		t.Parallel()
		mustContain(t, setup(t).refused(t, statusMisuse, "calc", "date"), "the input cannot be used")
	})
	t.Run("the help of calc lists every kind", func(t *testing.T) {
		t.Parallel()
		help := setup(t).run(t, "calc", "--help")
		for _, kind := range calc.Kinds() {
			mustContain(t, help, kind.Name, kind.About)
		}
	})
}
