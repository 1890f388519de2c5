package certificate_test

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/certificate"
)

func TestInWords(t *testing.T) {
	t.Parallel()
	for shares, want := range map[string]string{
		"0":                      "Zero",
		"1":                      "One",
		"10":                     "Ten",
		"11":                     "Eleven",
		"19":                     "Nineteen",
		"20":                     "Twenty",
		"21":                     "Twenty-One",
		"40":                     "Forty",
		"99":                     "Ninety-Nine",
		"100":                    "One Hundred",
		"101":                    "One Hundred One",
		"110":                    "One Hundred Ten",
		"999":                    "Nine Hundred Ninety-Nine",
		"1000":                   "One Thousand",
		"1001":                   "One Thousand One",
		"12345":                  "Twelve Thousand Three Hundred Forty-Five",
		"1000000":                "One Million",
		"1000001":                "One Million One",
		"1250000":                "One Million Two Hundred Fifty Thousand",
		"1250000.0000000000":     "One Million Two Hundred Fifty Thousand",
		"0001":                   "One",
		"0.5":                    "Zero and 5/10",
		"10.50":                  "Ten and 5/10",
		"1.25":                   "One and 25/100",
		"3.007":                  "Three and 7/1,000",
		"0.0000000001":           "Zero and 1/10,000,000,000",
		"2.1234567891":           "Two and 1,234,567,891/10,000,000,000",
		"1000000000000000000":    "One Quintillion",
		"9223372036854775807":    "Nine Quintillion Two Hundred Twenty-Three Quadrillion Three Hundred Seventy-Two Trillion Thirty-Six Billion Eight Hundred Fifty-Four Million Seven Hundred Seventy-Five Thousand Eight Hundred Seven",
		"9999999999999999999.9":  "Nine Quintillion Nine Hundred Ninety-Nine Quadrillion Nine Hundred Ninety-Nine Trillion Nine Hundred Ninety-Nine Billion Nine Hundred Ninety-Nine Million Nine Hundred Ninety-Nine Thousand Nine Hundred Ninety-Nine and 9/10",
		"1000000000000000.00001": "One Quadrillion and 1/100,000",
	} {
		t.Run(shares, func(t *testing.T) {
			t.Parallel()
			got, err := certificate.InWords(shares)
			if err != nil || got != want {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
}

func TestInFigures(t *testing.T) {
	t.Parallel()
	for shares, want := range map[string]string{
		"0": "0", "7": "7", "999": "999", "1000": "1,000", "1250000": "1,250,000", "0012": "12",
		"1250000.50": "1,250,000.5", "0.0000000001": "0.0000000001", "1000.0": "1,000",
		"9223372036854775807.1234567891": "9,223,372,036,854,775,807.1234567891",
	} {
		if got, err := certificate.InFigures(shares); err != nil || got != want {
			t.Errorf("%s is %q, %v, want %q", shares, got, err, want)
		}
	}
}

func TestNoNumber(t *testing.T) {
	t.Parallel()
	for _, shares := range []string{
		"", " ", "-1", "+1", "1e5", "NaN", "Infinity", ".5", "1.", "1,000", "1 000", "0x10", "١",
		"10000000000000000000000", "12345678901234567890", "0.12345678901", "1.2.3", "1_000",
	} {
		if got, err := certificate.InWords(shares); err == nil {
			t.Errorf("%q is %q in words", shares, got)
		}
		if got, err := certificate.InFigures(shares); err == nil {
			t.Errorf("%q is %q in figures", shares, got)
		}
	}
}

// value parses words. It is independent of the code under test.
func value(words string) (*big.Int, error) {
	small := map[string]int64{}
	for i, word := range strings.Fields("Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen " +
		"Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen") {
		small[word] = int64(i)
	}
	for i, word := range strings.Fields("Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety") {
		small[word] = int64(20 + 10*i)
	}
	scales := strings.Fields("Thousand Million Billion Trillion Quadrillion Quintillion")
	total, group := new(big.Int), int64(0)
next:
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return r == ' ' || r == '-' }) {
		if word == "Hundred" {
			group *= 100
			continue
		}
		for i, scale := range scales {
			if word == scale {
				power := new(big.Int).Exp(big.NewInt(1000), big.NewInt(int64(i+1)), nil)
				total.Add(total, power.Mul(power, big.NewInt(group)))
				group = 0
				continue next
			}
		}
		n, ok := small[word]
		if !ok {
			return nil, fmt.Errorf("no number is called %q", word)
		}
		group += n
	}
	return total.Add(total, big.NewInt(group)), nil
}

func TestWordsReadBack(t *testing.T) {
	t.Parallel()

	t.Run("every number up to 20,000", func(t *testing.T) {
		t.Parallel()
		seen := map[string]bool{}
		for n := range int64(20_001) {
			words, err := certificate.InWords(strconv.FormatInt(n, 10))
			if err != nil {
				t.Fatal(err)
			}
			back, err := value(words)
			if err != nil || back.Int64() != n || seen[words] {
				t.Fatalf("%d is %q, which reads %v, %v", n, words, back, err)
			}
			seen[words] = true
		}
	})

	t.Run("any number of up to 19 digits", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			digits := rapid.StringMatching(`[0-9]{1,19}`).Draw(t, "digits")
			words, err := certificate.InWords(digits)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := new(big.Int).SetString(digits, 10)
			if back, err := value(words); err != nil || back.Cmp(want) != 0 {
				t.Fatalf("%s is %q, which reads %v, %v", digits, words, back, err)
			}
		})
	})
}

func FuzzInWords(f *testing.F) {
	for _, seed := range []string{"0", "1.5", "9999999999999999999.9999999999", "", "-1", "1e9", "٣"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, shares string) {
		words, err := certificate.InWords(shares)
		figures, figuresErr := certificate.InFigures(shares)
		if (err == nil) != (figuresErr == nil) {
			t.Fatalf("%q: words say %v, figures say %v", shares, err, figuresErr)
		}
		if err != nil {
			return
		}
		if words == "" || strings.Contains(words, "  ") || strings.HasSuffix(words, " ") {
			t.Fatalf("%q is %q in words", shares, words)
		}
		// The printed number is exactly the given one.
		printed, ok := new(big.Rat).SetString(strings.ReplaceAll(figures, ",", ""))
		given, _ := new(big.Rat).SetString(shares)
		if !ok || printed.Cmp(given) != 0 {
			t.Fatalf("%q is printed as %q", shares, figures)
		}
		whole, fraction, _ := strings.Cut(words, " and ")
		integer, err := value(whole)
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Rat).SetInt(integer)
		if fraction != "" {
			part, ok := new(big.Rat).SetString(strings.ReplaceAll(fraction, ",", ""))
			if !ok {
				t.Fatalf("%q is no fraction", fraction)
			}
			sum.Add(sum, part)
		}
		if sum.Cmp(given) != 0 {
			t.Fatalf("%q reads %v in words: %q", shares, sum, words)
		}
	})
}

func ExampleInWords() {
	words, err := certificate.InWords("1250000.5")
	fmt.Println(words, err)
	// Output: One Million Two Hundred Fifty Thousand and 5/10 <nil>
}

func ExampleInFigures() {
	figures, err := certificate.InFigures("1250000.50")
	fmt.Println(figures, err)
	// Output: 1,250,000.5 <nil>
}
