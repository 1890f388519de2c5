package ocf_test

import (
	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// right draws an outstanding convertible or warrant. Without one, it returns an unknown id.
func (l *life) right(kinds ...captable.InstrumentKind) captable.InstrumentID {
	var ids []captable.InstrumentID
	for i := range l.state.Instruments() {
		for _, kind := range kinds {
			if i.Status.Outstanding() && i.Kind == kind && !i.ExpiredOn(l.day()) {
				ids = append(ids, i.ID)
			}
		}
	}
	if len(ids) == 0 {
		return captable.InstrumentID{}
	}
	return rapid.SampledFrom(ids).Draw(l.rt, "right")
}

func (l *life) convertible() captable.InstrumentID {
	return l.right(captable.KindNote, captable.KindSAFE, captable.KindCustom)
}

// promise draws a convertible or warrant.
func (l *life) promise(t *rapid.T) captable.IssueInstrument {
	command := captable.IssueInstrument{HolderRef: l.anybody()}
	command.IssueDate = l.day()
	command.Kind = rapid.SampledFrom(
		[]captable.InstrumentKind{captable.KindNote, captable.KindSAFE, captable.KindCustom, captable.KindWarrant},
	).Draw(t, "kind")
	if command.Kind == captable.KindWarrant {
		command.Security, command.Quantity, command.ExercisePrice = l.class(), l.some(50), &captable.Price{Amount: number("1.5")}
		if rapid.Bool().Draw(t, "expires") {
			command.ExpirationDate = l.day() + captable.Date(rapid.IntRange(0, 100).Draw(t, "after"))
		}
		return command
	}
	command.Principal = &captable.Money{Amount: l.some(1000), Currency: "USD"}
	if command.Kind != captable.KindSAFE && rapid.Bool().Draw(t, "bears interest") {
		command.Interest = rates()
	}
	if rapid.Bool().Draw(t, "capped") {
		command.ValuationCap, command.Discount = &captable.Price{Amount: number("5000")}, new(number("0.1"))
	}
	return command
}

func (l *life) rights() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"promise": func(t *rapid.T) { l.try(l.promise(t)) },
		"accept a right": func(*rapid.T) {
			l.try(captable.AcceptInstrument{ID: l.right(captable.KindNote, captable.KindWarrant), Date: l.day()})
		},
		"retract a right": func(*rapid.T) {
			l.try(captable.RetractInstrument{ID: l.right(captable.KindSAFE, captable.KindWarrant), Date: l.day()})
		},
		"transfer a convertible": func(*rapid.T) {
			amount := l.some(500)
			l.try(captable.TransferInstrument{
				ID: l.convertible(), To: l.anybody(), Part: captable.Part{Amount: &captable.Price{Amount: amount}}, Date: l.day(),
				Kind: "sale",
			})
		},
		"cancel a warrant": func(*rapid.T) {
			quantity := l.some(20)
			l.try(captable.CancelInstrument{ID: l.right(captable.KindWarrant), Part: captable.Part{Quantity: &quantity}, Date: l.day(), Reason: "gone"})
		},
		"exercise a warrant": func(*rapid.T) {
			l.try(captable.ExerciseWarrant{ID: l.right(captable.KindWarrant), Quantity: l.some(20), Date: l.day()})
		},
		"convert a convertible": func(*rapid.T) {
			l.try(captable.ConvertInstrument{
				ID: l.convertible(), Security: l.class(), Date: l.day(), PricePerShare: &captable.Price{Amount: number("20")},
			})
		},
		"change a ratio": func(t *rapid.T) {
			ratio := rapid.SampledFrom([]string{"1", "2", "2.5", "3"}).Draw(t, "ratio")
			l.try(captable.AdjustConversion{ID: l.preferred, Ratio: exact.MustDecimal(ratio), Date: l.day()})
		},
	}
}
