package exact_test

import (
	"testing"

	"equity/captable/exact"
)

func equal[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func number(text string) exact.Decimal { return exact.MustDecimal(text) }
