package exact_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
)

func TestParseDecimal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.000": "0", "-0.0000000000": "0", "1": "1", "007": "7", "1250.50": "1250.5", "-3": "-3", "-0.5": "-0.5",
		"1000": "1000", "100000000000000000": "100000000000000000", "0.0000000001": "0.0000000001",
		"9999999999999999999.9999999999": "9999999999999999999.9999999999", "-9999999999999999999": "-9999999999999999999",
		"0000000000000000001": "1",
	} {
		t.Run("the decimal "+text+" is accepted", func(t *testing.T) {
			t.Parallel()
			d, err := exact.ParseDecimal(text)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "text", d.String(), want)
		})
	}
	for _, text := range []string{
		"", " ", "-", ".", "-.", "+1", "1.", ".5", "-.5", "--1", "1-", "1 ", " 1", "1,000", "1_000", "1e5", "1E5", "1e-5", "0x10", "1.2.3",
		"NaN", "nan", "sNaN", "Infinity", "-Infinity", "inf", "Inf", "¹", "１", "1\n", "1\x00", "null", "true", `"1"`,
		"10000000000000000000", "00000000000000000001", "1.00000000000", "0.12345678901",
	} {
		t.Run("the decimal '"+text+"' is refused", func(t *testing.T) {
			t.Parallel()
			if d, err := exact.ParseDecimal(text); err == nil {
				t.Errorf("read as %s", d)
			}
		})
	}
}

func TestDecimalInJSON(t *testing.T) {
	t.Parallel()
	t.Run("a decimal is written as a string", func(t *testing.T) {
		t.Parallel()
		text, err := json.Marshal(number("1250.50"))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "JSON", string(text), `"1250.5"`)
	})
	for _, text := range []string{`1`, `1.5`, `1e2`, `true`, `{}`, `[]`, `"1e2"`, `""`, `"NaN"`} {
		t.Run("the JSON value "+text+" is not a decimal", func(t *testing.T) {
			t.Parallel()
			var d exact.Decimal
			if err := json.Unmarshal([]byte(text), &d); err == nil {
				t.Errorf("read as %s", d)
			}
		})
	}
}

func TestMustDecimal(t *testing.T) {
	t.Parallel()
	t.Run("an invalid literal panics", func(t *testing.T) {
		t.Parallel()
		defer func() {
			if recover() == nil {
				t.Error("it returned")
			}
		}()
		exact.MustDecimal("1e5")
	})
}

// decimals generates decimals of the whole range of the contract.
func decimals() *rapid.Generator[exact.Decimal] {
	return rapid.Map(rapid.StringMatching(`-?[0-9]{1,19}(\.[0-9]{1,10})?`), exact.MustDecimal)
}

func TestDecimalArithmetic(t *testing.T) {
	t.Parallel()
	t.Run("decimal arithmetic equals that of rationals", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			a, b := decimals().Draw(t, "a"), decimals().Draw(t, "b")
			for name, pair := range map[string][2]*big.Rat{
				"sum":        {a.Add(b).Rat(), new(big.Rat).Add(a.Rat(), b.Rat())},
				"difference": {a.Sub(b).Rat(), new(big.Rat).Sub(a.Rat(), b.Rat())},
				"product":    {a.Mul(b).Rat(), new(big.Rat).Mul(a.Rat(), b.Rat())},
				"negation":   {a.Neg().Rat(), new(big.Rat).Neg(a.Rat())},
			} {
				if pair[0].Cmp(pair[1]) != 0 {
					t.Fatalf("%s of %s and %s: got %s, want %s", name, a, b, pair[0], pair[1])
				}
			}
			if a.Cmp(b) != a.Rat().Cmp(b.Rat()) {
				t.Fatalf("order of %s and %s: got %d", a, b, a.Cmp(b))
			}
		})
	})
}

func TestSumsOfIntegersEqualThoseOfRationals(t *testing.T) {
	t.Parallel()
	edges := []int64{0, 1, 1<<62 - 1, 1 << 62, 1<<62 + 1, math.MaxInt64}
	rapid.Check(t, func(t *rapid.T) {
		integer := rapid.OneOf(rapid.SampledFrom(edges), rapid.Int64Range(0, math.MaxInt64))
		a, b := exact.NewDecimal(integer.Draw(t, "a")), exact.NewDecimal(integer.Draw(t, "b"))
		for _, pair := range [][2]exact.Decimal{{a, b}, {a.Neg(), b}, {a, b.Neg()}, {a.Neg(), b.Neg()}} {
			x, y := pair[0], pair[1]
			if sum := x.Add(y); sum.Rat().Cmp(new(big.Rat).Add(x.Rat(), y.Rat())) != 0 || sum != exact.RoundDown(sum.Rat(), exact.Places) {
				t.Fatalf("%s + %s = %#v", x, y, sum)
			}
			if difference := x.Sub(y); difference.Rat().Cmp(
				new(big.Rat).Sub(x.Rat(), y.Rat()),
			) != 0 || difference != exact.RoundDown(difference.Rat(), exact.Places) {
				t.Fatalf("%s - %s = %#v", x, y, difference)
			}
		}
	})
}

func TestDecimalIdentity(t *testing.T) {
	t.Parallel()
	t.Run("equal numbers are equal values", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			a, b := decimals().Draw(t, "a"), decimals().Draw(t, "b")
			for _, roundabout := range []exact.Decimal{
				a.Add(b).Sub(b), a.Sub(b).Add(b), a.Neg().Neg(), b.Mul(a).Sub(a.Mul(b)).Add(a), a.Mul(exact.NewDecimal(1)),
				exact.RoundDown(a.Rat(), exact.Places), exact.RoundHalfUp(a.Rat(), exact.Places),
			} {
				if roundabout != a || !roundabout.Equal(a) || roundabout.String() != a.String() {
					t.Fatalf("%#v is not %#v", roundabout, a)
				}
			}
		})
	})
	t.Run("the zero value is 0", func(t *testing.T) {
		t.Parallel()
		var zero exact.Decimal
		for _, same := range []exact.Decimal{number("0"), number("-0.00"), number("5").Sub(number("5")), number("3").Mul(zero), zero.Neg()} {
			if same != zero || !same.IsZero() || same.Sign() != 0 || same.String() != "0" {
				t.Errorf("%#v is not the zero Decimal", same)
			}
		}
	})
}

func TestDecimalProperties(t *testing.T) {
	t.Parallel()
	t.Run("whole numbers have no decimal places", func(t *testing.T) {
		t.Parallel()
		for text, whole := range map[string]bool{"0": true, "10": true, "-7": true, "2.50": false, "2.0": true, "0.0000000001": false} {
			equal(t, text, number(text).IsWhole(), whole)
		}
	})
	t.Run("minimum, maximum and sign", func(t *testing.T) {
		t.Parallel()
		low, high := number("-2"), number("1.5")
		equal(t, "min", low.Min(high), low)
		equal(t, "min turned around", high.Min(low), low)
		equal(t, "max", low.Max(high), high)
		equal(t, "max turned around", high.Max(low), high)
		equal(t, "signs", [3]int{low.Sign(), number("0").Sign(), high.Sign()}, [3]int{-1, 0, 1})
	})
	t.Run("fits reports the range of the contract", func(t *testing.T) {
		t.Parallel()
		most := number("9999999999999999999")
		tiny := number("0.0000000001")
		for _, fits := range []exact.Decimal{most, tiny, most.Neg(), most.Add(number("0.9999999999")), {}} {
			if !fits.Fits() {
				t.Errorf("%s should fit", fits)
			}
		}
		equal(t, "largest", exact.Largest(), most.Add(number("0.9999999999")))
		for _, large := range []exact.Decimal{most.Add(number("1")), most.Neg().Sub(number("1")), tiny.Mul(number("0.1")), most.Mul(most)} {
			if large.Fits() {
				t.Errorf("%s should not fit", large)
			}
		}
	})
}

func FuzzDecimal(f *testing.F) {
	for _, text := range []string{"0", "-1.50", "9999999999999999999.9999999999", "1e5", "NaN", "", " 1", "+1", "0.0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := exact.ParseDecimal(text)
		if err != nil {
			return
		}
		if strings.Trim(text, "-.0123456789") != "" || text == "" {
			t.Fatalf("%q was read as %s", text, d)
		}
		again, err := exact.ParseDecimal(d.String())
		if err != nil || again != d {
			t.Fatalf("%q prints as %q, which reads as %s, %v", text, d, again, err)
		}
		want, ok := new(big.Rat).SetString(text)
		if !ok || want.Cmp(d.Rat()) != 0 {
			t.Fatalf("%q was read as %s", text, d)
		}
	})
}
