package calc

import (
	"math/big"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// roundAnswer is a calculated round, once exact and once with the rounding of its source.
type roundAnswer struct {
	Exact       exactRound    `json:"exact"`
	Rounded     *roundedRound `json:"rounded_by_source_library,omitempty"`
	Explanation []string      `json:"explanation"`
}

type exactRound struct {
	Price          exact.Decimal     `json:"price"`
	Fraction       string            `json:"price_fraction"`
	Total          exact.Decimal     `json:"total_shares"`
	PoolIncrease   exact.Decimal     `json:"pool_increase"`
	PoolAvailable  exact.Decimal     `json:"pool_available_after"`
	Capitalization exact.Decimal     `json:"company_capitalization_post"`
	Conversions    []exactConversion `json:"conversions"`
	NewMoney       []exactPurchase   `json:"new_money"`
}

type exactConversion struct {
	ID             string        `json:"id"`
	Basis          basis         `json:"basis"`
	Shares         exact.Decimal `json:"shares"`
	Price          exact.Decimal `json:"price"`
	BeforeNewMoney exact.Decimal `json:"ownership_before_new_money"`
	Ownership      exact.Decimal `json:"ownership"`
}

type exactPurchase struct {
	ID        string        `json:"id"`
	Shares    exact.Decimal `json:"shares"`
	Ownership exact.Decimal `json:"ownership"`
}

// exactly returns the exact solution with ten decimal places.
func exactly(s conversion.Solution) exactRound {
	out := exactRound{
		Price: decimal(s.Price), Fraction: s.Price.RatString(), Total: decimal(s.TotalShares),
		PoolIncrease: decimal(s.PoolIncrease), PoolAvailable: decimal(s.PoolAvailable), Capitalization: decimal(s.Capitalization),
		Conversions: []exactConversion{}, NewMoney: []exactPurchase{},
	}
	for _, c := range s.Conversions {
		out.Conversions = append(out.Conversions, exactConversion{
			c.ID, basis(c.Basis), decimal(c.Shares), decimal(c.Price), decimal(c.BeforeNewMoney), decimal(c.Ownership),
		})
	}
	for _, purchase := range s.NewMoney {
		out.NewMoney = append(out.NewMoney, exactPurchase{purchase.ID, decimal(purchase.Shares), decimal(purchase.Ownership)})
	}
	return out
}

type roundedRound struct {
	Price          string              `json:"price"`
	Total          ratio               `json:"total_shares"`
	PoolAvailable  ratio               `json:"pool_available_after"`
	PoolIncrease   ratio               `json:"pool_increase"`
	Capitalization ratio               `json:"company_capitalization_post"`
	Conversions    []roundedConversion `json:"conversions"`
	NewMoney       []ratio             `json:"new_money_shares"`
}

type roundedConversion struct {
	ID     string  `json:"id"`
	Price  string  `json:"price"`
	Shares ratio   `json:"shares"`
	Basis  basis   `json:"basis"`
	Elects *string `json:"elects"`
}

// rounded returns the round in whole shares.
func rounded(w conversion.Whole) *roundedRound {
	out := &roundedRound{
		Price: long(w.Price), Total: ratio{w.TotalShares}, PoolAvailable: ratio{w.PoolAvailable},
		PoolIncrease: ratio{w.PoolIncrease}, Capitalization: ratio{w.Capitalization},
		Conversions: []roundedConversion{}, NewMoney: []ratio{},
	}
	for _, c := range w.Conversions {
		one := roundedConversion{ID: c.ID, Price: long(c.Price), Shares: ratio{c.Shares}, Basis: basis(c.Basis)}
		if c.Elects != "" {
			one.Elects = &c.Elects
		}
		out.Conversions = append(out.Conversions, one)
	}
	for _, shares := range w.NewMoney {
		out.NewMoney = append(out.NewMoney, ratio{shares})
	}
	return out
}

// longPlaces is the number of decimal places of an unrounded figure.
const longPlaces = 16

func long(figure *big.Rat) string { return exact.RoundHalfUp(figure, longPlaces).String() }
