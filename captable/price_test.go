package captable_test

import (
	"encoding/json"
	"testing"

	"golang.org/x/text/currency"

	"equity/captable"
	"equity/fault"
)

func TestPriceInJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]captable.Price{
		`"1.25"`:                              {Amount: number("1.25")},
		`{"amount":"1.25","currency":"EUR"}`:  {Amount: number("1.25"), Currency: "EUR"},
		` {"currency":"JPY","amount":"100"} `: {Amount: number("100"), Currency: "JPY"},
	} {
		t.Run("the price "+text+" is read and written unchanged", func(t *testing.T) {
			t.Parallel()
			read := captable.Price{Amount: number("9"), Currency: "CHF"} // every field must be overwritten
			if err := json.Unmarshal([]byte(text), &read); err != nil {
				t.Fatal(err)
			}
			equal(t, "price", read, want)
			again, err := json.Marshal(read)
			if err != nil {
				t.Fatal(err)
			}
			var back captable.Price
			if err := json.Unmarshal(again, &back); err != nil || back != want {
				t.Errorf("%s was read as %v, %v", again, back, err)
			}
		})
	}
	for _, text := range []string{
		`1.25`, `true`, `[]`, `""`, `"1e5"`, `{"amount":1.25,"currency":"EUR"}`, `{"amount":"1","currency":5}`,
		`{"amount":"1","currency":"EUR","tax":"0"}`, `{"amount":"1","currency":"EUR"`, `"x"`,
	} {
		t.Run("the price "+text+" is refused", func(t *testing.T) {
			t.Parallel()
			var read captable.Price
			if err := json.Unmarshal([]byte(text), &read); err == nil {
				t.Errorf("read as %v", read)
			}
		})
	}
	t.Run("the own currency's is a decimal string, a foreign one's is money", func(t *testing.T) {
		t.Parallel()
		text, err := json.Marshal([]any{
			price("1.250"), captable.Money{Amount: number("2"), Currency: "EUR"}, &captable.Price{Amount: number("3"), Currency: "EUR"},
		})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "JSON", string(text), `["1.25",{"amount":"2","currency":"EUR"},{"amount":"3","currency":"EUR"}]`)
	})
}

func TestPriceOfACommand(t *testing.T) {
	t.Parallel()
	t.Run("a price in the currency of the organization is stored without the currency", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		own, foreign := &captable.Price{Amount: number("2"), Currency: "USD"}, &captable.Price{Amount: number("3"), Currency: "EUR"}
		id := b.security(captable.SecurityTerms{
			Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: limit("10"), ParValue: own, Price: foreign,
		})
		equal(t, "par value", *b.class(id).ParValue, captable.Price{Amount: number("2")})
		equal(t, "price", *b.class(id).Price, captable.Price{Amount: number("3"), Currency: "EUR"})
		equal(t, "the caller's own afterwards", own.Currency, "USD")
	})
	t.Run("a negative price or an invalid currency is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		for _, currency := range []string{"usd", "EURO", "E1R", "€", "EU"} {
			command := issue(ada, class, "1", today)
			command.PricePerShare = &captable.Price{Amount: number("-1"), Currency: currency}
			b.refused(command, fault.Invalid, "/pricePerShare negative", "/pricePerShare/currency pattern")
		}
	})
}

func TestCurrencies(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"USD": true, "CHF": true, "DEM": true, "XXQ": false, currency.Unit{}.String(): false, "XTS": false, "usd": false, "US": false,
		"USDX": false, "": false,
	} {
		if got := captable.IsCurrency(code); got != want {
			t.Errorf("%q is a currency: %t", code, got)
		}
	}
}
