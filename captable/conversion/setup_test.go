package conversion_test

import (
	"embed"
	"math/big"
	"testing"

	"equity/captable/captabletest"
	"equity/captable/exact"
)

//go:embed testdata/*.json
var files embed.FS

// cases reads the published cases of a file.
func cases[C any](tb testing.TB, file string) []C {
	tb.Helper()
	return captabletest.Cases[C](tb, files, file)
}

// judge is the common interface of tests and properties.
type judge interface {
	Helper()
	Errorf(format string, arguments ...any)
}

func equal[T comparable](tb judge, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// same compares two exact numbers. want is a decimal or a fraction.
func same(tb judge, what string, got *big.Rat, want string) {
	tb.Helper()
	if number, ok := new(big.Rat).SetString(want); !ok || got.Cmp(number) != 0 {
		tb.Errorf("%s: got %s, want %s", what, got.RatString(), want)
	}
}

// alike reports whether two amounts are equal within the precision of long compounding: more than 500 decimal
// places.
func alike(a, b *big.Rat) bool {
	apart := new(big.Rat).Sub(a, b)
	return apart.Abs(apart).Cmp(new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 1900))) < 0
}

// less reports whether the first amount is less by more than that precision.
func less(a, b *big.Rat) bool { return a.Cmp(b) < 0 && !alike(a, b) }

func number(text string) exact.Decimal { return exact.MustDecimal(text) }

func day(text string) exact.Date { return exact.MustDate(text) }

func whole(n int64) exact.Decimal { return exact.NewDecimal(n) }

// optional parses a number that may be absent.
func optional(text string) exact.Decimal {
	if text == "" {
		return exact.Decimal{}
	}
	return number(text)
}
