package conversion_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// owing returns a debt of 10,000 at 3.65 % actual/365, which is 1 per day.
func owing(repayments ...conversion.Repayment) conversion.Ledger {
	return conversion.Ledger{
		Principal: number("10000"), Since: day("2023-01-01"), Interest: at("0.0365", "2023-01-01", nil), Repayments: repayments,
	}
}

func repaid(on, amount string, interestFirst bool) conversion.Repayment {
	return conversion.Repayment{Date: day(on), Amount: number(amount), InterestFirst: interestFirst}
}

func TestLedger(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim               string
		ledger              conversion.Ledger
		on                  string
		principal, interest string
	}{
		{"owes nothing before the principal came in", owing(), "2022-12-31", "0", "0"},
		{"owes the principal on its first day", owing(), "2023-01-01", "10000", "0"},
		{"owes the interest of the days before", owing(), "2023-04-11", "10000", "100"},
		{"takes interest first", owing(repaid("2023-04-11", "1100", true)), "2023-04-11", "9000", "0"},
		{"then bears interest on the rest", owing(repaid("2023-04-11", "1100", true)), "2023-04-21", "9000", "9"},
		{"takes principal first", owing(repaid("2023-04-11", "1000", false)), "2023-04-11", "9000", "100"},
		{"takes the interest once the principal is gone", owing(repaid("2023-04-11", "10040", false)), "2023-04-21", "0", "60"},
		{"leaves unpaid interest unpaid", owing(repaid("2023-04-11", "40", true)), "2023-04-21", "10000", "70"},
		{"knows no repayment of tomorrow", owing(repaid("2023-04-12", "40", true)), "2023-04-11", "10000", "100"},
		{"is settled by the balance", owing(repaid("2023-04-11", "10100", true)), "2033-04-11", "0", "0"},
		{"never owes less than nothing", owing(repaid("2023-04-11", "99999.99", true)), "2023-04-11", "0", "0"},
		{"takes parts of a cent", owing(repaid("2023-04-11", "0.0000000001", true)), "2023-04-11", "10000", "99.9999999999"},
		{"takes several a day in their order", owing(repaid("2023-04-11", "50", true), repaid("2023-04-11", "50", false)), "2023-04-11", "9950", "50"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			if faults := c.ledger.Faults(); faults != nil {
				t.Fatal(faults)
			}
			standing := c.ledger.On(day(c.on))
			same(t, "principal", standing.Principal, c.principal)
			same(t, "interest", standing.Interest, c.interest)
		})
	}
	t.Run("a repayment pays the interest of the current period before compounded interest", func(t *testing.T) {
		t.Parallel()
		debt := owing(repaid("2024-07-01", "606", true))
		debt.Interest = at("0.10", "2023-01-01", compound(conversion.Annual, conversion.Thirty360))
		standing := debt.On(day("2025-01-01")) // 10,000 + 1,000; 56 of the 1,000 pay interest within the 550 of half a year
		same(t, "principal", standing.Principal, "10000")
		same(t, "interest", standing.Interest, "1491.2")
		same(t, "balance", standing.Balance(), "11491.2")
	})
}

func TestLedgerProperties(t *testing.T) {
	t.Parallel()
	t.Run("two half repayments on a day equal one repayment", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			once, on := drawDebt(t), drawDay(t, "on")
			twice := once
			twice.Repayments = nil
			for _, whole := range once.Repayments {
				half := whole
				half.Amount = exact.RoundDown(new(big.Rat).Quo(whole.Amount.Rat(), big.NewRat(2, 1)), exact.Places)
				twice.Repayments = append(twice.Repayments, half, half)
			}
			same(t, "balance", twice.On(on).Balance(), once.On(on).Balance().RatString())
		})
	})
	t.Run("a repayment reduces the balance of its day", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			debt, on := drawDebt(t), drawDay(t, "on")
			debt.Repayments = nil
			on = max(on, debt.Since)
			before := debt.On(on)
			debt.Repayments = []conversion.Repayment{{Date: on, Amount: number("7.25"), InterestFirst: rapid.Bool().Draw(t, "interest first")}}
			fell := new(big.Rat).Sub(before.Balance(), debt.On(on).Balance())
			same(t, "paid", fell, "7.25")
		})
	})
	t.Run("balances are never negative", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			standing := drawDebt(t).On(drawDay(t, "on"))
			if standing.Principal.Sign() < 0 || standing.Interest.Sign() < 0 {
				t.Fatal(standing)
			}
		})
	})
}

func drawDebt(t *rapid.T) conversion.Ledger {
	debt := conversion.Ledger{Principal: number("1000"), Since: day("2020-01-10"), Interest: drawTerms(t)}
	on := debt.Since
	for range rapid.IntRange(0, 4).Draw(t, "repayments") {
		on += exact.Date(rapid.Int32Range(0, 400).Draw(t, "later"))
		debt.Repayments = append(debt.Repayments, conversion.Repayment{
			Date: on, Amount: exact.NewDecimal(rapid.Int64Range(1, 600).Draw(t, "amount")), InterestFirst: rapid.Bool().Draw(t, "interest first"),
		})
	}
	return debt
}

func TestLedgerFaults(t *testing.T) {
	t.Parallel()
	debt := owing(repaid("2022-12-31", "1", true), repaid("2023-05-01", "0", true), repaid("2023-04-30", "1", true))
	debt.Principal = exact.Decimal{}
	debt.Interest.DayCount = "guess"
	equal(t, "faults", told(debt.Faults()), "/principal notPositive, /interest/dayCount unknownTerm, "+
		"/repayments/0/date datesOutOfOrder, /repayments/1/amount notPositive, /repayments/2/date datesOutOfOrder")
}
