package credit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/fault"
	"equity/people/credit"
)

func TestAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]credit.Amount{
		"0": 0, "1": 100, "12.5": 1250, "0.01": 1, "12.50": 1250, "12.500000": 1250, "-3.1": -310, "-0.05": -5, "1000000000": credit.Most,
	} {
		if got, err := credit.ParseAmount(text); err != nil || got != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for text, want := range map[string]error{
		"": credit.ErrNotANumber, "1e2": credit.ErrNotANumber, ".5": credit.ErrNotANumber, "5.": credit.ErrNotANumber, " 1": credit.ErrNotANumber,
		"NaN": credit.ErrNotANumber, "0.001": credit.ErrTooManyPlaces, "1000000000.01": credit.ErrTooLarge, "99999999999999999999": credit.ErrTooLarge,
	} {
		if got, err := credit.ParseAmount(text); !errors.Is(err, want) {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
}

func TestAmountSurvivesText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := credit.Amount(rapid.Int64Range(-1<<62, 1<<62).Draw(t, "amount"))
		text, err := json.Marshal(amount)
		if err != nil {
			t.Fatal(err)
		}
		var back credit.Amount
		if err := json.Unmarshal(text, &back); err != nil || back != amount {
			t.Fatalf("%s: %v %v", text, back, err)
		}
	})
}

func entity(number byte) captable.EntityID { return captable.EntityID{number} }

func TestBookingIsRefused(t *testing.T) {
	t.Parallel()
	t.Run("a booking with wrong fields has a fault for each of them", func(t *testing.T) {
		t.Parallel()
		faults := credit.Booking{From: entity(1), To: entity(1)}.Faults()
		if len(faults) != 2 || faults[0].Code != "notPositive" || faults[1].Code != "sameEntity" {
			t.Errorf("%v", faults)
		}
	})
	t.Run("a booking beyond the balance is refused with the available and requested amounts", func(t *testing.T) {
		t.Parallel()
		err := credit.Booking{From: entity(1), To: entity(2), Amount: 1001}.CheckBalance(1000)
		refusal, ok := errors.AsType[*fault.Error](err)
		if !ok || refusal.Code != fault.InsufficientCredit || refusal.Details["available"] != "10.00" || refusal.Details["requested"] != "10.01" {
			t.Errorf("%v", err)
		}
	})
	t.Run("a booking of exactly the balance, or from the house, is accepted", func(t *testing.T) {
		t.Parallel()
		if err := (credit.Booking{From: entity(1), To: entity(2), Amount: 1000}).CheckBalance(1000); err != nil {
			t.Error(err)
		}
		if err := (credit.Booking{From: credit.House(), To: entity(2), Amount: 1000}).CheckBalance(-5000); err != nil {
			t.Error(err)
		}
	})
}

// After any sequence of bookings the balances add up to zero and only the house is below zero.
func TestBalancesAddUpToZero(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		accounts := []captable.EntityID{credit.House(), entity(1), entity(2), entity(3)}
		balances := map[captable.EntityID]credit.Amount{}
		account := rapid.SampledFrom(accounts)
		for range rapid.IntRange(1, 50).Draw(t, "bookings") {
			b := credit.Booking{
				From: account.Draw(t, "from"), To: account.Draw(t, "to"),
				Amount: credit.Amount(rapid.Int64Range(-10, 500).Draw(t, "amount")),
			}
			if b.Faults() != nil || b.CheckBalance(balances[b.From]) != nil {
				continue
			}
			for _, a := range accounts {
				balances[a] += b.Effect(a)
			}
		}
		var sum credit.Amount
		for a, balance := range balances {
			sum += balance
			if balance < 0 && a != credit.House() {
				t.Fatalf("%v is at %v", a, balance)
			}
		}
		if sum != 0 {
			t.Fatalf("the balances add up to %v", sum)
		}
	})
}

func TestCardValuesFollowTheirDistribution(t *testing.T) {
	t.Parallel()
	source := make([]byte, 256)
	for i := range source {
		source[i] = byte(i)
	}
	random, counts := bytes.NewReader(source), map[credit.Amount]int{}
	for {
		value, err := credit.Draw(random)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		counts[value]++
	}
	want := map[credit.Amount]int{credit.Credits(10): 100, credit.Credits(25): 50, credit.Credits(50): 40, credit.Credits(100): 10}
	for value, number := range want {
		if counts[value] != number {
			t.Errorf("%v was drawn %d times of 200 instead of %d", value, counts[value], number)
		}
	}
}
