package ocf

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"

	"equity/captable"
	"equity/captable/exact"
)

// instrument is a convertible or warrant as issued and as stated now.
type instrument struct {
	stated[captable.InstrumentIssue]
	voided bool
	// price is the current exercise price of a warrant. splits is the number of splits of its
	// class at the issuance.
	price  *captable.Price
	splits int
	// growth is the product of the ratios of the later splits.
	growth *big.Rat
	// amendments counts the amendments of the price.
	amendments int
	// pieces counts the balance ids of a partly exercised warrant.
	pieces int
	// divided holds the dates of the partial exercises.
	divided []captable.Date
	// ended is the day on which the instrument ended; zero before the end.
	ended captable.Date
	// order is the comment about a split on the issue date.
	order []string
	// repayments are the comments about the partial repayments.
	repayments []string
}

func (x *Exporter) entered(issue captable.InstrumentIssue) {
	id := x.name(toSecurity, issue.ExternalID, issue.ID.String())
	i := &instrument{
		stated: enter(x, id, issue, issue.Source), order: x.afterSplit(splitBy(issue), issue.IssueDate),
	}
	i.now.Source = nil
	x.begin(i, issue)
	x.instruments[issue.ID] = i
}

// begin sets the present price of an instrument that was issued or corrected. Splits that are recorded
// with a later date than the issue restate it.
func (x *Exporter) begin(i *instrument, issue captable.InstrumentIssue) {
	of := splitBy(issue)
	i.price, i.splits, i.growth = issue.ExercisePrice, x.splitsOf(of), big.NewRat(1, 1)
	if !issue.OfDay {
		return
	}
	i.splits, i.growth = x.splitsUntil(of, issue.IssueDate), x.growthAfter(of, issue.IssueDate)
	for _, split := range x.splitsAfter(of, issue.IssueDate) {
		if i.price != nil {
			i.price = &captable.Price{Amount: scaled(i.price.Amount, new(big.Rat).Inv(split.Ratio.Rat())), Currency: i.price.Currency}
		}
	}
}

// splitBy returns the class whose splits change the instrument.
func splitBy(issue captable.InstrumentIssue) captable.SecurityID {
	if issue.FixedConversion != nil {
		return issue.FixedConversion.Security
	}
	return issue.Security
}

func (i *instrument) family() string {
	if i.now.Kind == captable.KindWarrant {
		return familyWarrant
	}
	return familyConvertible
}

// current returns the security id under which the instrument continues.
func (i *instrument) current() string {
	if i.pieces == 0 {
		return i.id
	}
	return i.id + "-" + strconv.Itoa(i.pieces+1)
}

// acceptedAs returns the security id on the day. An acceptance can be recorded after a partial
// exercise, with a date before it.
func (i *instrument) acceptedAs(day captable.Date) string {
	then := *i
	for n := len(i.divided); n > 0 && day < i.divided[n-1]; n-- {
		then.pieces--
	}
	return then.current()
}

// befall records a transaction of the instrument.
func (x *Exporter) befall(i *instrument, date captable.Date, source *captable.Source, object func() any) {
	x.transactions = append(x.transactions, &transaction{
		place: x.place(source), source: source, date: date, wanted: func() bool { return !i.voided }, object: object,
	})
}

// applyInstrument folds the events of convertibles and warrants. It is the last of the chain
// and ignores unknown events, such as pending requests. The format cannot represent them.
func (x *Exporter) applyInstrument(event captable.Event) {
	if id, day := endOf(event); x.instruments[id] != nil {
		x.instruments[id].ended = day
	}
	switch e := event.(type) {
	case captable.InstrumentIssued:
		x.entered(e.InstrumentIssue)
	case captable.InstrumentAccepted:
		if i := x.instruments[e.ID]; i != nil {
			x.instrumentAccepted(i, e)
		}
	case captable.InstrumentAmended:
		if i := x.instruments[e.ID]; i != nil {
			x.restated(
				i,
				captable.InstrumentIssue{ID: e.ID, Entity: i.now.Entity, InstrumentFacts: i.now.InstrumentFacts, InstrumentTerms: e.Terms},
			)
		}
	case captable.InstrumentCorrected:
		if i := x.instruments[e.ID]; i != nil {
			x.restated(i, e.InstrumentIssue)
		}
	case captable.InstrumentVoided:
		if i := x.instruments[e.ID]; i != nil {
			i.voided = true
		}
	case captable.InstrumentRepaid:
		x.repaid(e)
	case captable.InstrumentConverted:
		x.converted(e)
	case captable.WarrantExercised:
		x.warrantExercised(e)
	case captable.InstrumentEnded:
		x.instrumentEnded(e)
	}
}

// restated replaces the issue with its current statement. Amounts that a split has multiplied
// since then keep their values of the issue date.
func (x *Exporter) restated(i *instrument, issue captable.InstrumentIssue) {
	was := i.now
	i.restate(issue)
	i.now.Source, i.now.Comments = nil, append(slices.Clip(i.now.Comments), i.repayments...)
	if of := splitBy(was); of == splitBy(issue) && x.splitsOf(of) > i.splits {
		i.now.Quantity, i.now.ExercisePrice = was.Quantity, i.unsplitPrice(was.ExercisePrice, issue.ExercisePrice)
		i.now.FixedConversion = i.unsplitConversion(was.FixedConversion, issue.FixedConversion, x.places(of))
		return
	}
	if before, after := i.price, issue.ExercisePrice; before != nil && after != nil && !before.Amount.Equal(after.Amount) {
		i.amendments++
	}
	x.begin(i, issue)
	i.order = x.restatedOrder(&i.place, splitBy(issue), issue.IssueDate)
}

// unsplitPrice returns the price to state for an amended exercise price: per share before the
// splits since the issue. An unchanged price stays as it was stated.
func (i *instrument) unsplitPrice(was, amended *captable.Price) *captable.Price {
	if amended == nil || i.price != nil && i.price.Currency == amended.Currency && i.price.Amount.Equal(amended.Amount) {
		return was
	}
	i.price = amended
	i.amendments++
	return &captable.Price{Amount: scaled(amended.Amount, i.growth), Currency: amended.Currency}
}

// unsplitConversion is like unsplitPrice for the fixed conversion of a convertible. A number of
// shares that is not a whole number before the splits stays as it was stated, because readers
// refuse fractions.
func (i *instrument) unsplitConversion(was, amended *captable.FixedConversion, places int) *captable.FixedConversion {
	if was == nil || amended == nil {
		return amended
	}
	stated, shrink := *amended, new(big.Rat).Inv(i.growth)
	if amended.Price != nil {
		stated.Price = new(scaled(*amended.Price, i.growth))
		if was.Price != nil && scaled(*was.Price, shrink).Equal(*amended.Price) {
			stated.Price = was.Price
		}
	}
	if amended.Shares != nil {
		before := new(big.Rat).Mul(amended.Shares.Rat(), shrink)
		stated.Shares = new(exact.RoundDown(before, places))
		exactly := stated.Shares.Rat().Cmp(before) == 0
		if was.Shares != nil && (!exactly || exact.RoundDown(new(big.Rat).Mul(was.Shares.Rat(), i.growth), places).Equal(*amended.Shares)) {
			stated.Shares = was.Shares
		}
	}
	return &stated
}

// places returns the number of decimal places of a share of the class.
func (x *Exporter) places(of captable.SecurityID) int {
	if c := x.classes[of]; c != nil {
		return c.now.Places()
	}
	return 0
}

// repaid writes a repayment. The format has none: a partial repayment becomes a comment of the
// convertible, and the repayment of the rest a cancellation with a comment.
func (x *Exporter) repaid(e captable.InstrumentRepaid) {
	i := x.instruments[e.ID]
	if i == nil {
		return
	}
	if !e.Settled {
		i.keep()
		fact := repaymentFact(e.Repayment, i.now.Principal.Currency)
		i.repayments, i.now.Comments = append(i.repayments, fact), append(slices.Clip(i.now.Comments), fact)
		i.changed = true
		return
	}
	x.befall(i, e.Date, e.Source, func() any {
		return instrumentEnding{
			transactionObject: transactionObject{e.ID.String() + "-repaid", "TX_CONVERTIBLE_CANCELLATION", e.Date, i.id},
			Amount:            i.now.Principal, Reason: "Repaid.", Comments: []string{repaymentFact(e.Repayment, i.now.Principal.Currency)},
		}
	})
}

// converted writes a conversion and the resulting shares. The cash paid for a fractional
// share has no field and becomes a comment.
func (x *Exporter) converted(e captable.InstrumentConverted) {
	i := x.instruments[e.ID]
	if i == nil {
		return
	}
	x.befall(i, e.Date, e.Source, func() any {
		object := instrumentEnding{
			transactionObject: transactionObject{e.ID.String() + "-converted", "TX_CONVERTIBLE_CONVERSION", e.Date, i.id},
			Trigger:           i.trigger(),
			Converted:         &e.Amount, Results: []string{x.security(e.Result.ID)}, Reason: "Converted: " + string(e.Basis) + ".",
		}
		for _, other := range e.Others {
			object.Results = append(object.Results, x.security(other.ID))
		}
		if e.Balance != nil {
			object.Balance = x.instruments[e.Balance.ID].id
		}
		if e.Cash.Sign() > 0 {
			object.Comments = append(object.Comments, e.Cash.String()+" "+i.now.Principal.Currency+" were paid for a part of a share.")
		}
		return object
	})
	for _, result := range append([]captable.Issue{e.Result}, e.Others...) {
		x.issued(result)
	}
	if e.Balance != nil {
		x.entered(*e.Balance)
	}
}

// warrantExercised writes an exercise, which ends a warrant in the format. A warrant with a
// remainder is divided first.
func (x *Exporter) warrantExercised(e captable.WarrantExercised) {
	i := x.instruments[e.ID]
	if i == nil {
		return
	}
	security := i.current()
	if e.Left.Sign() > 0 {
		security = x.exercisedPart(i, e)
	}
	x.befall(i, e.Date, e.Source, func() any {
		object := instrumentEnding{
			transactionObject: transactionObject{e.Result.ID.String() + "-exercise", "TX_WARRANT_EXERCISE", e.Date, security},
			Trigger:           i.trigger(),
			Results:           []string{x.security(e.Result.ID)},
		}
		if e.Payment == captable.PayNet {
			object.Consideration = e.Quantity.Sub(e.Result.Shares).String() + " of the shares paid the price."
		}
		return object
	})
	x.issued(e.Result)
}

// exercisedPart divides a warrant into the exercised part and the remainder, which stays with
// the holder. Returns the id of the exercised part.
func (x *Exporter) exercisedPart(i *instrument, e captable.WarrantExercised) string {
	before, part := i.current(), e.Result.ID.String()+"-warrant"
	i.pieces++
	i.divided = append(i.divided, e.Date)
	after := i.current()
	x.befall(i, e.Date, nil, func() any {
		return instrumentEnding{
			transactionObject: transactionObject{part + "-transferred", "TX_WARRANT_TRANSFER", e.Date, before},
			Quantity:          &e.Quantity,
			Results:           []string{part}, Balance: after, Comments: []string{"Divided to be exercised in part."},
		}
	})
	price, amendments, growth := i.price, i.amendments, i.growth
	for _, piece := range []struct {
		id       string
		quantity captable.Decimal
	}{{part, e.Quantity}, {after, e.Left}} {
		x.befall(i, e.Date, nil, func() any {
			issue := i.now
			issue.IssueDate, issue.Quantity, issue.ExercisePrice = e.Date, piece.quantity, price
			if i.amendments > amendments && piece.id == i.current() { // amended since
				since := new(big.Rat).Quo(i.growth, growth)
				issue.ExercisePrice = &captable.Price{Amount: scaled(i.price.Amount, since), Currency: i.price.Currency}
			}
			return x.warrantObject(piece.id, issue)
		})
	}
	return part
}

func (x *Exporter) instrumentEnded(e captable.InstrumentEnded) {
	i := x.instruments[e.ID]
	if i == nil || e.Kind == captable.StatusExpired { // implied by the expiration date
		return
	}
	security := i.current()
	x.befall(i, e.Date, e.Source, func() any { return x.instrumentEnding(i, security, e) })
	for _, issue := range []*captable.InstrumentIssue{e.Result, e.Balance} {
		if issue != nil {
			x.entered(*issue)
		}
	}
}

// splitInstruments adjusts the exercise prices of the warrants on a class after a split, and the
// growth of a share since the issue of each warrant and convertible.
func (x *Exporter) splitInstruments(e captable.SecuritySplit) {
	for _, i := range x.instruments {
		if splitBy(i.now) == e.ID {
			i.growth = new(big.Rat).Mul(i.growth, e.Ratio.Rat())
		}
		if i.now.Security == e.ID && i.price != nil {
			by := new(big.Rat).Quo(e.Ratio.Denominator.Rat(), e.Ratio.Numerator.Rat())
			i.price = &captable.Price{Amount: scaled(i.price.Amount, by), Currency: i.price.Currency}
		}
	}
}

// addInstruments writes the convertibles and warrants, except voided ones.
func (e *export) addInstruments(gone map[string]bool) {
	for _, i := range e.instruments {
		switch {
		case i.voided:
			gone[i.id] = true
		case e.happened(i.now.IssueDate):
			e.used[i.now.Entity] = true
			e.add(fileTransactions, i.place, e.instrumentIssuance(i))
		}
	}
}

func (x *Exporter) instrumentIssuance(i *instrument) json.RawMessage {
	if i.now.Kind != i.initial().Kind { // all fields differ
		return recordOf(x.instrumentObject(i, i.now)).json()
	}
	return i.json(func(issue captable.InstrumentIssue) any { return x.instrumentObject(i, issue) })
}

func (x *Exporter) instrumentObject(i *instrument, issue captable.InstrumentIssue) any {
	issue.Comments = append(slices.Clip(issue.Comments), i.order...)
	if issue.Kind == captable.KindWarrant {
		return x.warrantObject(i.id, issue)
	}
	return x.convertibleObject(i.id, issue)
}

// trigger returns the id of the first conversion or exercise trigger of the instrument.
func (i *instrument) trigger() string {
	var came struct {
		Conversion []struct {
			ID string `json:"trigger_id"`
		} `json:"conversion_triggers"`
		Exercise []struct {
			ID string `json:"trigger_id"`
		} `json:"exercise_triggers"`
	}
	if i.source != nil && json.Unmarshal(i.source.Object, &came) == nil {
		for _, trigger := range slices.Concat(came.Conversion, came.Exercise) {
			return trigger.ID
		}
	}
	return i.id + firstTrigger
}
