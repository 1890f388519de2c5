package captable

import (
	"math/big"
	"slices"
	"strings"

	"equity/captable/exact"
	"equity/fault"
)

// The commands that end a shareholding. Each has its own rules in addition to
// those common to all endings.
type (
	// TransferShareholding moves shares to another holder. The totals do not change.
	TransferShareholding struct {
		Shareholding  ShareholdingID `json:"shareholding"`
		To            HolderRef      `json:"to"`
		Shares        Decimal        `json:"shares"`
		Date          Date           `json:"date"`
		PricePerShare *Price         `json:"pricePerShare,omitempty"`
		// Kind is sale, gift, inheritance or internal.
		Kind   string `json:"kind"`
		Reason string `json:"reason,omitempty"`
	}
	// CancelShareholding ends shares without replacement. If Shares is nil, all shares end.
	CancelShareholding struct {
		ID     ShareholdingID `json:"-"`
		Shares *Decimal       `json:"shares,omitempty"`
		Date   Date           `json:"date"`
		Reason string         `json:"reason"`
	}
	// RepurchaseShareholding buys shares back. They are retired or become treasury shares.
	RepurchaseShareholding struct {
		ID         ShareholdingID `json:"-"`
		Shares     Decimal        `json:"shares"`
		Price      *Price         `json:"price"`
		Date       Date           `json:"date"`
		ToTreasury bool           `json:"toTreasury,omitempty"`
		Reason     string         `json:"reason,omitempty"`
	}
	// ConvertShareholding converts all shares into the security of their conversion right at
	// its ratio. Fractions are paid in cash.
	ConvertShareholding struct {
		ID       ShareholdingID `json:"-"`
		Security SecurityID     `json:"security"`
		Date     Date           `json:"date"`
	}
	// ReplaceShareholding ends shareholdings with the results and the balance stated by an
	// imported package.
	ReplaceShareholding struct {
		Kind       Status
		From       []ShareholdingID
		Date       Date
		Shares     Decimal
		Results    []Result
		Balance    *Result
		Price      *Price
		ToTreasury bool
		Reason     string
		// Behavior is the disposition of awarded shares. If empty, the behavior of the plan
		// applies.
		Behavior CancellationBehavior
		// Ratio is the split ratio of a reissue. Nil means 1:1.
		Ratio  *Ratio
		Source *Source
	}
)

// decide moves shares to another holder. The shareholding ends as a whole. New shareholdings
// are issued to the new holder and, for the remaining shares, to the old one (UCC §8-401), so
// that the quantity of a certificate never changes. The price paid by the new holder replaces
// the original consideration.
func (c TransferShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	var faults fault.Fields
	h, known := s.Shareholding(c.Shareholding)
	if !known {
		faults.Add("/shareholding", "unknownReference", "There is no such shareholding.")
	}
	to := c.toHolder(&faults, m)
	if known && to.Entity == h.Entity {
		faults.Add("/to", "sameHolder", "Choose another holder: the shares already belong to this one.")
	}
	if !slices.Contains([]string{"sale", "gift", "inheritance", "internal"}, c.Kind) {
		faults.Add("/kind", "enum", "The kind must be sale, gift, inheritance or internal.")
	}
	checkPrice(&faults, "/pricePerShare", c.PricePerShare)
	if !known {
		m.checkDate(&faults, "/date", c.Date)
		checkShares(&faults, "/shares", c.Shares, nil)
		return nil, faults.Err()
	}
	if _, err := s.shares.outstanding(h.ID); err != nil {
		return nil, err
	}
	details := h.countedOn(c.Date).portion(c.Shares)
	details.ShareholderName = to.Name
	if c.PricePerShare != nil {
		details.PricePerShare, details.Consideration = c.PricePerShare, nil
	}
	ending, _, err := replacement{
		kind: StatusTransferred, from: []ShareholdingID{h.ID}, date: c.Date, shares: &c.Shares, faults: faults,
		results: []Result{{Holder: c.To, Security: h.Security, Shares: c.Shares, ShareholdingDetails: details}},
	}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.TransferKind, ending.Price, ending.Reason = c.Kind, c.PricePerShare.in(m.Currency), c.Reason
	return []Event{*ending}, nil
}

func (c TransferShareholding) toHolder(faults *fault.Fields, m DecideContext) Holder {
	var own fault.Fields
	holder := c.To.checkHolder(&own, m)
	for _, problem := range own {
		faults.Add("/to"+problem.Pointer, problem.Code, problem.Message)
	}
	return holder
}

// decide cancels all or some of the shares. A reason is required for the register.
func (c CancelShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	var faults fault.Fields
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "The reason for the cancellation is required.")
	}
	ending, _, err := replacement{
		kind: StatusCancelled, from: []ShareholdingID{c.ID}, date: c.Date, shares: c.Shares, faults: faults,
	}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.Reason = c.Reason
	return []Event{*ending}, nil
}

// decide buys shares back (DGCL §160). Treasury shares remain issued, so they do not return to
// the pool of a plan.
func (c RepurchaseShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	var faults fault.Fields
	if c.Price == nil {
		faults.Add("/price", "required", "The price of the repurchase is required; \"0\" if the shares are free.")
	}
	checkPrice(&faults, "/price", c.Price)
	ending, _, err := replacement{
		kind: StatusRepurchased, from: []ShareholdingID{c.ID}, date: c.Date, shares: &c.Shares, faults: faults,
	}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.Price, ending.ToTreasury, ending.Reason = c.Price.in(m.Currency), c.ToTreasury, c.Reason
	ending.Returns = ending.Returns && !c.ToTreasury
	return []Event{*ending}, nil
}

// decide converts shares into the class of their conversion right at the ratio of the day. If
// the class has whole shares only, the fraction is paid in cash and recorded (DGCL §155). The
// invested amount is carried over.
func (c ConvertShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	h, err := s.shares.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	into, known := s.Security(c.Security)
	if !known {
		var faults fault.Fields
		faults.Add("/security", "unknownReference", "There is no such security.")
		m.checkDate(&faults, "/date", c.Date)
		return nil, faults.Err()
	}
	old, _ := s.Security(h.Security)
	h = h.countedOn(c.Date)
	conversion := old.ConversionOn(c.Date)
	if conversion == nil || conversion.Security != c.Security {
		return nil, fault.Refuse(fault.Conflict, "The security must be the one into which the shares convert.")
	}
	product := new(big.Rat).Mul(h.Shares.Rat(), conversion.Each())
	shares := exact.RoundDown(product, into.Places())
	if shares.IsZero() {
		return nil, fault.Refuse(fault.Conflict, "The shares must convert into at least one share.")
	}
	if !into.Issued.Add(shares).Fits() {
		return nil, fault.Refuse(
			fault.Conflict, "After the conversion, the issued shares must have at most 19 digits before the decimal point.",
		)
	}
	details := h.portion(h.Shares)
	details.PricePerShare, details.Consideration, details.Legends, details.Vestings = nil, nil, into.Legends, h.listedFor(shares)
	if invested := h.Invested(); !invested.IsZero() {
		details.Consideration = &Consideration{Other: invested}
	}
	ending, _, err := replacement{
		kind: StatusConverted, from: []ShareholdingID{h.ID}, date: c.Date,
		results: []Result{{Holder: HolderRef{Entity: h.Entity}, Security: c.Security, Shares: shares, ShareholdingDetails: details}},
	}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.CashFraction = exact.RoundDown(product.Sub(product, shares.Rat()), exact.Places)
	return []Event{*ending}, nil
}

// decide validates an ending that a package states. The results sum to the ended shares, times
// the ratio of a split. The balance is the rest. A conversion keeps the holder and changes the
// security; any other ending keeps the security.
func (c ReplaceShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	if err := c.checkForm(); err != nil {
		return nil, err
	}
	r := replacement{kind: c.Kind, from: c.From, date: c.Date, results: c.Results, balance: c.Balance, said: c.Behavior}
	if !c.Shares.IsZero() {
		r.shares = &c.Shares
	}
	ending, from, err := r.decide(s, m)
	if err != nil {
		return nil, err
	}
	if err := c.checkSums(s, ending, from); err != nil {
		return nil, err
	}
	for _, issue := range ending.Results {
		if err := c.checkResult(from[0], issue); err != nil {
			return nil, err
		}
	}
	ending.Price, ending.ToTreasury, ending.Reason = c.Price.in(m.Currency), c.ToTreasury, c.Reason
	ending.Returns, ending.Source = ending.Returns && !c.ToTreasury, c.Source
	return []Event{*ending}, nil
}

// checkForm refuses a command that is invalid in any state.
func (c ReplaceShareholding) checkForm() error {
	named := make(map[ShareholdingID]bool, len(c.From))
	for _, id := range c.From {
		if named[id] {
			return fault.Refuse(fault.Invalid, "List each shareholding once.").With("shareholding", id.String())
		}
		named[id] = true
	}
	switch {
	case len(c.From) == 0:
		return fault.Refuse(fault.Invalid, "List at least one shareholding that ends.")
	case !slices.Contains(shareholdingEnds(), c.Kind):
		return fault.Refuse(fault.Invalid, "The kind must be one of the ways in which shares end.").With("kind", string(c.Kind))
	case c.Ratio != nil && (c.Ratio.Numerator.Sign() <= 0 || c.Ratio.Denominator.Sign() <= 0):
		return fault.Refuse(fault.Invalid, "Numerator and denominator must be more than zero.")
	case c.ToTreasury && c.Kind != StatusRepurchased:
		return fault.Refuse(fault.Invalid, "Only repurchased shares can go to the treasury.")
	default:
		return nil
	}
}

// checkSums checks that no shares are lost. The ended shares and the balance sum to the held
// shares. For a transfer, reissue or consolidation, the results sum to the ended shares.
func (c ReplaceShareholding) checkSums(s *State, ending *ShareholdingEnded, from []*Shareholding) error {
	results, held := Decimal{}, Decimal{}
	for _, issue := range ending.Results {
		results = results.Add(issue.Shares)
	}
	for _, h := range from {
		held = held.Add(h.Shares)
		if h.Security != from[0].Security || h.Entity != from[0].Entity {
			return fault.Refuse(fault.Conflict, "Shares of several securities or holders cannot end together.")
		}
	}
	rest := held.Sub(ending.Shares)
	if (c.Balance == nil) != rest.IsZero() || c.Balance != nil && !c.Balance.Shares.Equal(rest) {
		return fault.Refuse(fault.Conflict, "The balance must be the remainder, "+rest.String()+".").With("remaining", rest.String())
	}
	if ending.Balance != nil && (ending.Balance.Security != from[0].Security || ending.Balance.Entity != from[0].Entity) {
		return fault.Refuse(fault.Conflict, "The balance must belong to the same holder and security.")
	}
	carries := c.Kind == StatusTransferred || c.Kind == StatusReissued || c.Kind == StatusConsolidated
	if carries && !c.sumUp(s, results, ending.Shares, from[0].Security) {
		return fault.Refuse(fault.Conflict, "The results must sum to the shares that ended.").
			With("results", results.String()).With("ended", ending.Shares.String())
	}
	if c.Kind == StatusConverted && len(ending.Results) == 0 {
		return fault.Refuse(fault.Conflict, "A conversion requires resulting shares.")
	}
	return nil
}

// sumUp reports whether the results sum to the ended shares, times the ratio of a split. For a
// class of whole shares, a split may be rounded up or down.
func (c ReplaceShareholding) sumUp(s *State, results, ended Decimal, of SecurityID) bool {
	if c.Ratio == nil {
		return results.Equal(ended)
	}
	off := new(big.Rat).Mul(ended.Rat(), new(big.Rat).Quo(c.Ratio.Numerator.Rat(), c.Ratio.Denominator.Rat()))
	off.Sub(off, results.Rat()).Abs(off)
	security, _ := s.Security(of)
	return off.Sign() == 0 || !security.FractionalShares && off.Cmp(big.NewRat(1, 1)) < 0
}

// checkResult checks the holder and the class of a result.
func (c ReplaceShareholding) checkResult(from *Shareholding, issue Issue) error {
	switch c.Kind {
	case StatusConverted:
		if issue.Entity != from.Entity {
			return fault.Refuse(fault.Conflict, "The result of a conversion must belong to the same holder.")
		}
		if issue.Security == from.Security {
			return fault.Refuse(fault.Conflict, "The result of a conversion must be of another security.")
		}
	case StatusTransferred, StatusReissued, StatusConsolidated:
		if issue.Security != from.Security {
			return fault.Refuse(fault.Conflict, "The results must be of the same security.")
		}
		if c.Kind != StatusTransferred && issue.Entity != from.Entity {
			return fault.Refuse(fault.Conflict, "The results must belong to the same holder.")
		}
	case StatusCancelled, StatusRepurchased, StatusRetracted, StatusActive, StatusAccepted, StatusVoided, StatusRepaid,
		StatusExercised, StatusReleased, StatusForfeited, StatusExpired:
		return fault.Refuse(fault.Conflict, "Remove the results: shares that end in this way have none.")
	}
	return nil
}
