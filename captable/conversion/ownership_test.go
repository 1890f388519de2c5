package conversion_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/conversion"
)

func TestOwnership(t *testing.T) {
	t.Parallel()
	quarter, tenth := big.NewRat(1, 4), big.NewRat(1, 10)
	same(t, "what a post-money cap gives", conversion.PostMoneyPart(big.NewRat(500, 1), big.NewRat(5500, 1)), "1/11")
	same(t, "what a pro rata right buys", conversion.ProRataPart(quarter, big.NewRat(15, 100)), "3/68")
	same(t, "what may be held", conversion.ProRataBudget(quarter, big.NewRat(28, 100)), "3/28")
	same(t, "dilution", conversion.Dilution(quarter, big.NewRat(15, 100), tenth), "67/170")
	same(t, "diluted", conversion.Diluted(tenth, quarter), "3/40")
	same(t, "shares", conversion.ProRataShares(big.NewRat(4486719, 1), tenth), "4486719/10")
}

func TestProRataPart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := func(label string) *big.Rat { return big.NewRat(rapid.Int64Range(1, 499).Draw(t, label), 1000) }
		newInvestors, held := part("new investors"), part("held")
		bought := conversion.ProRataPart(newInvestors, held)
		round := new(big.Rat).Add(newInvestors, bought)
		same(t, "the holder's part of the round", new(big.Rat).Quo(bought, round), held.RatString())
		same(t, "what may be held for that round", conversion.ProRataBudget(newInvestors, round), held.RatString())
		same(t, "who buys all of a right keeps the part", new(big.Rat).Add(conversion.Diluted(held, round), bought), held.RatString())
	})
}
