package onboarding

import (
	"encoding/json"

	"equity/captable/exact"
	"equity/fault"
	"equity/messages"
)

// Totals are the shares of a plan.
type Totals struct {
	Authorized   exact.Decimal `json:"authorized"`
	Issued       exact.Decimal `json:"issued"`
	FullyDiluted exact.Decimal `json:"fullyDiluted"`
}

// shareFields are the fields of items with shares. A text that is no number counts as 0.
type shareFields struct {
	Security         string `json:"security"`
	Shares           number `json:"shares"`
	AuthorizedShares number `json:"authorizedShares"`
	Pools            []struct {
		Security    string `json:"security"`
		TotalShares number `json:"totalShares"`
	} `json:"pools"`
}

type number struct{ exact.Decimal }

// UnmarshalJSON decodes a decimal text.
func (n *number) UnmarshalJSON(text []byte) error {
	var digits string
	if json.Unmarshal(text, &digits) == nil {
		if decimal, err := exact.ParseDecimal(digits); err == nil {
			n.Decimal = decimal
		}
	}
	return nil
}

// sums are the shares of each security of a plan, by the id of its item.
type sums struct {
	Totals
	authorized, used map[string]exact.Decimal
}

// sumsOf adds up the shares of the items.
func sumsOf(items []messages.PlanItem) sums {
	s := sums{authorized: map[string]exact.Decimal{}, used: map[string]exact.Decimal{}}
	for _, item := range items {
		var fields shareFields
		if json.Unmarshal(item.Fields, &fields) != nil {
			continue
		}
		switch item.Kind {
		case kindSecurity:
			s.authorized[item.ID] = fields.AuthorizedShares.Decimal
			s.Authorized = s.Authorized.Add(fields.AuthorizedShares.Decimal)
		case kindShareholding:
			s.used[fields.Security] = s.used[fields.Security].Add(fields.Shares.Decimal)
			s.Issued = s.Issued.Add(fields.Shares.Decimal)
			s.FullyDiluted = s.FullyDiluted.Add(fields.Shares.Decimal)
		case kindPlan:
			for _, pool := range fields.Pools {
				s.used[pool.Security] = s.used[pool.Security].Add(pool.TotalShares.Decimal)
				s.FullyDiluted = s.FullyDiluted.Add(pool.TotalShares.Decimal)
			}
		}
	}
	return s
}

// exceeded returns the faults of the securities with more planned shares than authorized.
func exceeded(items []messages.PlanItem) fault.Fields {
	var faults fault.Fields
	s := sumsOf(items)
	for _, item := range items {
		used, authorized := s.used[item.ID], s.authorized[item.ID]
		if item.Kind == kindSecurity && used.Cmp(authorized) > 0 {
			var fields titled
			_ = json.Unmarshal(item.Fields, &fields) // the body was checked
			faults = append(faults, fault.Field{Code: "moreThanAuthorized", Message: inGroups(used.String()) + " shares of " + fields.Name +
				" are planned, but " + inGroups(authorized.String()) + " are authorized."})
		}
	}
	return faults
}
