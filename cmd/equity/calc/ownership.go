package calc

import (
	"fmt"
	"math/big"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// ownershipCase is one of several calculations of ownership. Its kind determines the required
// fields.
type ownershipCase struct {
	Kind  string `json:"kind"`
	SAFEs parts  `json:"safes"`
	// Fractions of the company: 0.25 is 25 %.
	NewInvestors *number `json:"new_investors"`
	WithProRata  *number `json:"safes_with_pro_rata"`
	PoolIncrease number  `json:"pool_increase"`
	WholeRound   *number `json:"total_round"`
	RoundShares  *number `json:"round_shares"`
	Held         *number `json:"holder_before_new_money"`
}

// ownershipOf answers the question of the case.
func ownershipOf(c ownershipCase) (any, error) {
	switch c.Kind {
	case "post_money_ownership":
		return c.postMoney()
	case "round_dilution":
		return c.dilution()
	case "pro_rata_shares":
		return c.shares()
	case "max_safes_with_pro_rata":
		return c.budget()
	case "pro_rata_allocation":
		return c.allocation()
	default:
		return nil, fmt.Errorf("unknown kind of ownership %q", c.Kind)
	}
}

type postMoneyAnswer struct {
	Ownership exact.Decimal `json:"ownership"`
}

// postMoney returns the ownership of amounts at post-money caps.
func (c ownershipCase) postMoney() (answer postMoneyAnswer, err error) {
	if len(c.SAFEs.bought) == 0 {
		return answer, fmt.Errorf("a case of %s has SAFEs", c.Kind)
	}
	sum := new(big.Rat)
	for _, one := range c.SAFEs.bought {
		if one.Amount.Sign() <= 0 || one.Amount.Cmp(one.Cap.Decimal) >= 0 {
			return answer, refuse("investment must be less than the cap")
		}
		sum.Add(sum, conversion.PostMoneyPart(one.Amount.Rat(), one.Cap.Rat()))
	}
	if sum.Cmp(all()) >= 0 {
		return answer, refuse("the SAFEs own the whole company")
	}
	return postMoneyAnswer{decimal(sum)}, nil
}

type dilutionAnswer struct {
	Dilution exact.Decimal  `json:"round_dilution"`
	After    *exact.Decimal `json:"safes_after,omitempty"`
}

// dilution returns the dilution by a round with pro rata rights fully exercised.
func (c ownershipCase) dilution() (answer dilutionAnswer, err error) {
	if c.WithProRata == nil {
		c.WithProRata = new(number)
	}
	if err := c.want(
		map[string]*number{"new_investors": c.NewInvestors, "safes_with_pro_rata": c.WithProRata, "pool_increase": &c.PoolIncrease},
	); err != nil {
		return answer, err
	}
	dilution := conversion.Dilution(c.NewInvestors.Rat(), c.WithProRata.Rat(), c.PoolIncrease.Rat())
	if dilution.Cmp(all()) >= 0 {
		return answer, refuse("the round takes the whole company")
	}
	answer.Dilution = decimal(dilution)
	if part := c.SAFEs.part; part != nil {
		if err := c.want(map[string]*number{"safes": part}); err != nil {
			return answer, err
		}
		answer.After = new(decimal(conversion.Diluted(part.Rat(), dilution)))
	}
	return answer, nil
}

type proRataAnswer struct {
	Shares shares `json:"shares"`
}

// shares returns the whole shares of a round that a holder may buy.
func (c ownershipCase) shares() (answer proRataAnswer, err error) {
	if err := c.want(map[string]*number{"holder_before_new_money": c.Held}); err != nil {
		return answer, err
	}
	if c.RoundShares == nil || c.RoundShares.Sign() < 0 {
		return answer, fmt.Errorf("a case of %s has round_shares, not negative", c.Kind)
	}
	bought := conversion.ProRataShares(c.RoundShares.Rat(), c.Held.Rat())
	return proRataAnswer{shares(exact.RoundDown(bought, 0))}, nil
}

type budgetAnswer struct {
	Max exact.Decimal `json:"max"`
}

// budget returns the fraction of a round that is available for pro rata rights.
func (c ownershipCase) budget() (answer budgetAnswer, err error) {
	if err := c.want(map[string]*number{"new_investors": c.NewInvestors, "total_round": c.WholeRound}); err != nil {
		return answer, err
	}
	if c.WholeRound.Sign() == 0 || c.WholeRound.Cmp(c.NewInvestors.Decimal) < 0 {
		return answer, refuse("the whole round is no less than what the new investors buy of it")
	}
	return budgetAnswer{decimal(conversion.ProRataBudget(c.NewInvestors.Rat(), c.WholeRound.Rat()))}, nil
}

type allocationAnswer struct {
	Extra exact.Decimal `json:"extra"`
}

// allocation returns the part of a round for pro rata rights.
func (c ownershipCase) allocation() (answer allocationAnswer, err error) {
	if err := c.want(map[string]*number{"new_investors": c.NewInvestors, "safes_with_pro_rata": c.WithProRata}); err != nil {
		return answer, err
	}
	return allocationAnswer{decimal(conversion.ProRataPart(c.NewInvestors.Rat(), c.WithProRata.Rat()))}, nil
}
