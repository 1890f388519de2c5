package ocf

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"equity/captable"
	"equity/captable/vesting"
)

// typeGrantPrefix is the prefix of the grant transaction types.
const typeGrantPrefix = "TX_" + familyGrant + "_"

type (
	grantObject struct {
		issuedObject
		Plan     string           `json:"stock_plan_id,omitempty"`
		Class    string           `json:"stock_class_id,omitempty"`
		Kind     string           `json:"compensation_type"`
		Quantity captable.Decimal `json:"quantity"`
		Price    *captable.Money  `json:"exercise_price,omitempty"`
		Base     *captable.Money  `json:"base_price,omitempty"`
		Early    bool             `json:"early_exercisable,omitempty"`
		Vesting  string           `json:"vesting_terms_id,omitempty"`
		Vestings []vestingEntry   `json:"vestings,omitempty"`
		Expires  *captable.Date   `json:"expiration_date"`
		Windows  []windowObject   `json:"termination_exercise_windows"`
	}
	vestingEntry struct {
		Date   captable.Date    `json:"date"`
		Amount captable.Decimal `json:"amount"`
	}
	windowObject struct {
		Reason string `json:"reason"`
		Period int    `json:"period"`
		Type   string `json:"period_type"`
	}
	repricingObject struct {
		transactionObject
		Price *captable.Money `json:"new_exercise_price"`
	}
	returnObject struct {
		transactionObject
		Plan     string           `json:"stock_plan_id"`
		Quantity captable.Decimal `json:"quantity"`
		Reason   string           `json:"reason_text"`
	}
)

// addGrants writes the grants and their vesting starts. A grant with an unnamed vesting
// schedule also gets vesting terms of its own.
func (e *export) addGrants(gone map[string]bool) {
	for _, g := range e.grants {
		if g.voided {
			gone[g.id] = true
			continue
		}
		if !e.happened(g.now.IssueDate) {
			continue
		}
		e.used[g.now.Entity] = true
		e.add(fileTransactions, g.place, e.grantIssuance(g))
		if g.source != nil {
			continue
		}
		if g.ownTerms() {
			e.add(fileVesting, g.place, recordOf(vestingObject{
				g.id + "-vesting", typeVesting, "Vesting of " + g.id, "The schedule of this grant.", string(g.now.Terms.Allocation),
				conditionsOf(*g.now.Terms), nil,
			}).json())
		}
		if start := startIn(g.now.Terms); start != "" && len(g.now.Vestings) == 0 {
			e.add(fileTransactions, g.place, recordOf(vestingStart{
				transactionObject{g.id + "-vesting-start", typeVestingStart, g.now.VestingStart, g.id}, start, nil,
			}).json())
		}
	}
}

// ownTerms reports whether the grant vests by an unnamed schedule.
func (g *grant) ownTerms() bool {
	return g.now.Terms != nil && g.now.VestingSchedule == "" && len(g.now.Vestings) == 0
}

func (x *Exporter) grantIssuance(g *grant) json.RawMessage {
	return g.json(func(issue captable.GrantIssue) any { return x.grantObject(g, issue) })
}

// grantObject returns a grant issuance. A stock appreciation right has a base price instead
// of an exercise price. The expiration date of a grant without expiry is null.
func (x *Exporter) grantObject(g *grant, issue captable.GrantIssue) grantObject {
	object := grantObject{
		issuedObject: x.issuedAs(
			transactionObject{issue.ID.String() + "-issued", typeGrantPrefix + "ISSUANCE", issue.IssueDate, g.id}, issue.Entity,
		),
		Class: x.classID(issue.Security), Kind: compensation(issue.Type), Quantity: issue.Quantity, Early: issue.EarlyExercise,
		Vesting: x.scheduleID(issue.VestingSchedule), Windows: windowObjects(issue.TerminationWindows),
	}
	object.Board, object.Comments = issue.BoardApprovalDate, append(
		slices.Clone(issue.Comments), x.priceFact(commentMarketValue, issue.MarketValue)...,
	)
	object.Comments = append(object.Comments, g.order...)
	if p := x.plans[issue.Pool]; p != nil {
		object.Plan = p.id
	}
	if g.ownTerms() && issue.Terms != nil {
		object.Vesting = g.id + "-vesting"
	}
	if issue.Type == captable.GrantSAR {
		object.Base = x.money(issue.ExercisePrice)
	} else {
		object.Price = x.money(issue.ExercisePrice)
	}
	for _, v := range issue.Vestings {
		object.Vestings = append(object.Vestings, vestingEntry{v.Date, v.Quantity})
	}
	if !issue.ExpirationDate.IsZero() {
		object.Expires = &issue.ExpirationDate
	}
	return object
}

// compensation returns the format's name for a grant type. International options have no
// specific name and use the general one.
func compensation(granted captable.GrantType) string {
	switch granted {
	case captable.GrantISO:
		return "OPTION_ISO"
	case captable.GrantNSO:
		return "OPTION_NSO"
	case captable.GrantRSU:
		return "RSU"
	case captable.GrantSAR:
		return "SSAR"
	case captable.GrantInternational:
	}
	return "OPTION"
}

// windowObjects converts exercise windows: reasons to upper case, years to months.
func windowObjects(windows []captable.TerminationWindow) []windowObject {
	objects := []windowObject{}
	for _, window := range windows {
		object := windowObject{upperCase(string(window.Reason)), window.Period.N, periodDays}
		if window.Period.Unit != vesting.Days {
			object.Type = periodMonths
		}
		if window.Period.Unit == vesting.Years {
			object.Period *= monthsOfYear
		}
		objects = append(objects, object)
	}
	return objects
}

// upperCase converts camel case to upper snake case: voluntaryOther to VOLUNTARY_OTHER.
func upperCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}
