package conversion

import "math/big"

// All parts here are fractions of the company: 0.15 is 15 % of it.

// PostMoneyPart is the part that an amount buys at a post-money cap, before the new money.
func PostMoneyPart(amount, valuation *big.Rat) *big.Rat { return new(big.Rat).Quo(amount, valuation) }

// ProRataPart is the part that who holds a part before the new money buys by pro rata right
// beside the new investors, who get theirs whole: the round grows until what is bought is
// the holder's part of it. The part held is below one.
func ProRataPart(newInvestors, held *big.Rat) *big.Rat {
	part := new(big.Rat).Mul(newInvestors, held)
	return part.Quo(part, new(big.Rat).Sub(big.NewRat(1, 1), held))
}

// ProRataBudget is the most that all who have pro rata rights may hold before the new money,
// so that a round with the new investors' part is no more than the whole round: the
// [ProRataPart] of it is the rest. The whole round is above zero.
func ProRataBudget(newInvestors, wholeRound *big.Rat) *big.Rat {
	rest := new(big.Rat).Sub(wholeRound, newInvestors)
	return rest.Quo(rest, wholeRound)
}

// Dilution is by which part a round makes everybody's smaller: what the new investors get,
// what is bought by pro rata right, and by how much the pool grows.
func Dilution(newInvestors, withProRata, poolIncrease *big.Rat) *big.Rat {
	sum := ProRataPart(newInvestors, withProRata)
	return sum.Add(sum, newInvestors).Add(sum, poolIncrease)
}

// Diluted is what is left of a part after the dilution.
func Diluted(part, dilution *big.Rat) *big.Rat {
	left := new(big.Rat).Sub(big.NewRat(1, 1), dilution)
	return left.Mul(left, part)
}

// ProRataShares are the shares of a round that belong to who holds a part before the new
// money; whole shares are the rounded-down number of them.
func ProRataShares(roundShares, held *big.Rat) *big.Rat { return new(big.Rat).Mul(roundShares, held) }
