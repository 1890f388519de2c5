package ocf

import (
	"slices"
	"strings"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
)

// Suffixes of the trigger ids of an instrument.
const (
	firstTrigger    = ".1"
	fixedTrigger    = ".2"
	maturityTrigger = ".3"
)

type (
	convertibleObject struct {
		issuedObject
		Investment *captable.Money  `json:"investment_amount"`
		Kind       string           `json:"convertible_type"`
		Triggers   []becomingObject `json:"conversion_triggers"`
		ProRata    string           `json:"pro_rata,omitempty"`
		Seniority  int              `json:"seniority"`
	}
	warrantObject struct {
		issuedObject
		Quantity *captable.Decimal `json:"quantity,omitempty"`
		Counted  string            `json:"quantity_source,omitempty"`
		Price    *captable.Money   `json:"exercise_price,omitempty"`
		Purchase captable.Money    `json:"purchase_price"`
		Triggers []becomingObject  `json:"exercise_triggers"`
		Expires  captable.Date     `json:"warrant_expiration_date,omitzero"`
	}
	becomingObject struct {
		Type     string        `json:"type"`
		ID       string        `json:"trigger_id"`
		Nickname string        `json:"nickname,omitempty"`
		Date     captable.Date `json:"trigger_date,omitzero"`
		Start    captable.Date `json:"start_date,omitzero"`
		End      captable.Date `json:"end_date,omitzero"`
		Right    becomingRight `json:"conversion_right"`
	}
	becomingRight struct {
		Type      string `json:"type"`
		Mechanism any    `json:"conversion_mechanism"`
		Future    bool   `json:"converts_to_future_round,omitempty"`
		Class     string `json:"converts_to_stock_class_id,omitempty"`
	}
	becomingTerms struct {
		Type     string            `json:"type"`
		Rates    *[]rateObject     `json:"interest_rates,omitempty"`
		DayCount string            `json:"day_count_convention,omitempty"`
		Payout   string            `json:"interest_payout,omitempty"`
		Accrual  string            `json:"interest_accrual_period,omitempty"`
		Compound string            `json:"compounding_type,omitempty"`
		Discount *captable.Decimal `json:"conversion_discount,omitempty"`
		Cap      *captable.Money   `json:"conversion_valuation_cap,omitempty"`
		Rules    *rulesObject      `json:"capitalization_definition_rules,omitempty"`
		Timing   string            `json:"conversion_timing,omitempty"`
		Multiple *captable.Ratio   `json:"exit_multiple,omitempty"`
		MFN      *bool             `json:"conversion_mfn,omitempty"`
		Words    string            `json:"custom_conversion_description,omitempty"`
		Shares   *captable.Decimal `json:"converts_to_quantity,omitempty"`
		Percent  *captable.Decimal `json:"converts_to_percent,omitempty"`
	}
	rateObject struct {
		Rate captable.Decimal `json:"rate"`
		From captable.Date    `json:"accrual_start_date"`
		To   captable.Date    `json:"accrual_end_date,omitzero"`
	}
	rulesObject struct {
		Shares   bool `json:"include_outstanding_shares"`
		Options  bool `json:"include_outstanding_options"`
		Unissued bool `json:"include_outstanding_unissued_options"`
		This     bool `json:"include_this_security"`
		Others   bool `json:"include_other_converting_securities"`
		Promised bool `json:"include_option_pool_topup_for_promised_options"`
		TopUp    bool `json:"include_additional_option_pool_topup"`
		Money    bool `json:"include_new_money"`
	}
	// instrumentEnding combines the fields of the transactions that end convertibles and
	// warrants.
	instrumentEnding struct {
		transactionObject
		Amount        *captable.Money   `json:"amount,omitempty"`
		Quantity      *captable.Decimal `json:"quantity,omitempty"`
		Converted     *captable.Decimal `json:"quantity_converted,omitempty"`
		Trigger       string            `json:"trigger_id,omitempty"`
		Results       []string          `json:"resulting_security_ids,omitempty"`
		Balance       string            `json:"balance_security_id,omitempty"`
		Consideration string            `json:"consideration_text,omitempty"`
		Reason        string            `json:"reason_text,omitempty"`
		Comments      []string          `json:"comments,omitempty"`
	}
)

// convertibleObject returns the issuance of a note, a SAFE or another convertible.
func (x *Exporter) convertibleObject(id string, issue captable.InstrumentIssue) convertibleObject {
	object := convertibleObject{
		issuedObject: x.issuedAs(
			transactionObject{issue.ID.String() + "-issued", "TX_CONVERTIBLE_ISSUANCE", issue.IssueDate, id}, issue.Entity,
		),
		Investment: issue.Principal, Kind: "CONVERTIBLE_SECURITY", Triggers: x.conversionTriggers(id, issue), Seniority: x.rank(issue),
	}
	object.Board, object.Comments = issue.BoardApprovalDate, issue.Comments
	switch issue.Kind {
	case captable.KindNote:
		object.Kind = "NOTE"
	case captable.KindSAFE:
		object.Kind = "SAFE"
	case captable.KindCustom, captable.KindWarrant:
	}
	if issue.ProRata {
		object.ProRata = "1"
	}
	return object
}

// rank inverts the seniority: in the format, rank 1 is the most senior.
func (x *Exporter) rank(issue captable.InstrumentIssue) int {
	seniority := func(of *int) int {
		if of == nil {
			return 0
		}
		return *of
	}
	highest := seniority(issue.Seniority)
	for _, other := range x.instruments {
		highest = max(highest, seniority(other.now.Seniority))
	}
	return highest - seniority(issue.Seniority) + 1
}

// conversionTriggers returns the triggers of a convertible: the terms for a financing round,
// the fixed conversion, and the maturity.
func (x *Exporter) conversionTriggers(id string, issue captable.InstrumentIssue) []becomingObject {
	const right = "CONVERTIBLE_CONVERSION_RIGHT"
	terms := becomingRight{Type: right, Mechanism: mechanismOf(issue), Future: true}
	triggers := []becomingObject{{Type: triggerUnspecified, ID: id + firstTrigger, Right: terms}}
	if fixed := issue.FixedConversion; fixed != nil {
		mechanism := becomingTerms{Type: mechanismFixed, Shares: fixed.Shares, Percent: fixed.Fraction}
		switch {
		case fixed.Fraction != nil:
			mechanism.Type = mechanismPercent
		case fixed.Price != nil:
			mechanism.Type, mechanism.Words = mechanismCustom, beforeFixedPrice+fixed.Price.String()+" "+issue.Principal.Currency+afterFixedPrice
		}
		triggers = append(triggers, becomingObject{
			Type: triggerUnspecified, ID: id + fixedTrigger,
			Right: becomingRight{Type: right, Mechanism: mechanism, Class: x.classID(fixed.Security)},
		})
	}
	if !issue.MaturityDate.IsZero() {
		triggers = append(
			triggers,
			becomingObject{Type: triggerOnDate, ID: id + maturityTrigger, Nickname: "Maturity", Date: issue.MaturityDate, Right: terms},
		)
	}
	return triggers
}

// mechanismOf returns the conversion mechanism for a financing round: that of a note if the
// instrument is a note or bears interest, otherwise that of a SAFE. An instrument with only a
// textual agreement gets a custom mechanism.
func mechanismOf(issue captable.InstrumentIssue) becomingTerms {
	t := issue.ConvertibleTerms
	if t.ConversionTerms != "" && t.Interest == nil && t.ValuationCap == nil && t.Discount == nil {
		return becomingTerms{Type: mechanismCustom, Words: t.ConversionTerms}
	}
	mechanism := becomingTerms{Type: mechanismSAFE, Discount: t.Discount, MFN: &t.MFN}
	if t.ExitMultiple != nil {
		mechanism.Multiple = &captable.Ratio{Numerator: *t.ExitMultiple, Denominator: exact.NewDecimal(1)}
	}
	if t.ValuationCap != nil {
		mechanism.Cap = &captable.Money{Amount: t.ValuationCap.Amount, Currency: issue.Principal.Currency}
		mechanism.Rules = rulesOf(t.CapBasis)
	}
	if issue.Kind != captable.KindNote && t.Interest == nil {
		mechanism.Timing = map[string]string{"pre": "PRE_MONEY", "post": "POST_MONEY"}[t.CapBasis]
		return mechanism
	}
	interest := conversion.Interest{}.WithDefaults()
	if t.Interest != nil {
		interest = t.Interest.WithDefaults()
	}
	mechanism.Type, mechanism.Payout, mechanism.Compound = mechanismNote, strings.ToUpper(string(interest.Payout)), strings.ToUpper(
		string(interest.Compounding),
	)
	mechanism.Accrual, mechanism.DayCount = upperCase(string(interest.AccrualPeriod)), "ACTUAL_365"
	if interest.DayCount == conversion.Thirty360 {
		mechanism.DayCount = "30_360"
	}
	rates := []rateObject{}
	for _, rate := range interest.Rates {
		rates = append(rates, rateObject(rate))
	}
	mechanism.Rates = &rates
	return mechanism
}

// rulesOf returns the capitalization definition of a valuation cap, according to the standard
// pre-money and post-money forms.
func rulesOf(basis string) *rulesObject {
	if basis == "post" {
		return &rulesObject{Shares: true, Options: true, Unissued: true, This: true, Others: true, Promised: true}
	}
	return &rulesObject{Shares: true, Options: true, Unissued: true, Promised: true, TopUp: true}
}

// warrantObject returns the issuance of a warrant. A quantity that depends on the holder's
// investment is described in words, because the format supports only known quantities and its
// own formulas.
func (x *Exporter) warrantObject(id string, issue captable.InstrumentIssue) warrantObject {
	object := warrantObject{
		issuedObject: x.issuedAs(transactionObject{id + "-issued", "TX_WARRANT_ISSUANCE", issue.IssueDate, id}, issue.Entity),
		Price:        x.money(issue.ExercisePrice), Purchase: captable.Money{Currency: x.currency}, Expires: issue.ExpirationDate,
	}
	object.Board, object.Comments = issue.BoardApprovalDate, append(
		slices.Clone(issue.Comments), figureFact(commentCoverage, issue.Coverage)...,
	)
	right := becomingRight{Type: "WARRANT_CONVERSION_RIGHT", Class: x.classID(issue.Security), Future: issue.Security.IsZero()}
	if issue.Quantity.IsZero() {
		right.Mechanism = becomingTerms{
			Type: mechanismCustom, Words: "Shares for " + issue.Coverage.String() + " of what the holder invested.",
		}
	} else {
		object.Quantity, object.Counted = &issue.Quantity, "INSTRUMENT_FIXED"
		right.Mechanism = becomingTerms{Type: mechanismFixed, Shares: &issue.Quantity}
	}
	trigger := becomingObject{Type: triggerAtWill, ID: id + firstTrigger, Right: right}
	if !issue.ExpirationDate.IsZero() {
		trigger.Type, trigger.Start, trigger.End = triggerInRange, issue.IssueDate, issue.ExpirationDate
	}
	object.Triggers = []becomingObject{trigger}
	return object
}

// instrumentEnding returns a transfer, a cancellation or a retraction.
func (x *Exporter) instrumentEnding(i *instrument, security string, e captable.InstrumentEnded) instrumentEnding {
	object := instrumentEnding{
		transactionObject: transactionObject{ID: e.ID.String() + "-" + string(e.Kind), Date: e.Date, Security: security},
	}
	if i.family() == familyWarrant {
		object.Quantity = &e.Size
	} else {
		object.Amount = &captable.Money{Amount: e.Size, Currency: i.now.Principal.Currency}
	}
	if e.Result != nil {
		object.Results = []string{x.instrument(e.Result.ID)}
	}
	if e.Balance != nil {
		object.Balance = x.instrument(e.Balance.ID)
	}
	prefix := "TX_" + i.family() + "_"
	switch e.Kind { //nolint:exhaustive // only these statuses end an instrument
	case captable.StatusTransferred:
		object.Type = prefix + "TRANSFER"
		for _, text := range []string{e.TransferKind, e.Reason} {
			if text != "" {
				object.Comments = append(object.Comments, text)
			}
		}
		if price := x.money(e.Price); price != nil {
			object.Consideration = price.Amount.String() + " " + price.Currency
		}
	case captable.StatusRetracted:
		object.Type, object.Amount, object.Quantity, object.Reason = prefix+"RETRACTION", nil, nil, reason(e.Reason, "Retracted.")
	default:
		object.Type, object.Reason = prefix+"CANCELLATION", reason(e.Reason, "Cancelled.")
	}
	return object
}

// instrument returns the export id of a convertible or warrant.
func (x *Exporter) instrument(id captable.InstrumentID) string {
	if i := x.instruments[id]; i != nil {
		return i.id
	}
	return id.String()
}
