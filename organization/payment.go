package organization

import (
	"slices"

	"equity/captable"
	"equity/fault"
)

// Invoice is the phantom type of invoice ids.
type Invoice struct{}

// InvoiceID identifies an invoice. It is derived from the id of the provider, which never enters the journal.
type InvoiceID = captable.ID[Invoice]

// Payment is an attempt to pay an invoice.
type Payment struct {
	Invoice InvoiceID      `json:"invoice"`
	Amount  captable.Money `json:"amount"`
	// Attempt counts the attempts to pay the invoice from 1.
	Attempt uint64 `json:"attempt"`
	// NextAttemptAt is the time of the next attempt after a failed one; zero if there is none.
	NextAttemptAt captable.Instant `json:"nextAttemptAt,omitzero"`
}

// RecordPayment records the last attempt to pay an invoice, unless it is recorded already.
type RecordPayment struct {
	Payment
	Succeeded bool
}

// PaymentSucceeded records that an invoice was paid.
type PaymentSucceeded struct{ Payment }

// PaymentFailed records a failed attempt to pay an invoice.
type PaymentFailed struct{ Payment }

// EventType returns the event's name in the journal.
func (PaymentSucceeded) EventType() string { return "paymentSucceeded" }

// EventType returns the event's name in the journal.
func (PaymentFailed) EventType() string { return "paymentFailed" }

// Creates returns nil.
func (PaymentSucceeded) Creates() []captable.Created { return nil }

// Creates returns nil.
func (PaymentFailed) Creates() []captable.Created { return nil }

// Records returns the payment.
func (e PaymentSucceeded) Records(*State) []any { return []any{&e.Payment} }

func (e PaymentSucceeded) Affects(*State) []Reference { return affected(KindInvoice, e.Invoice) }

// Records returns the payment.
func (e PaymentFailed) Records(*State) []any { return []any{&e.Payment} }

func (e PaymentFailed) Affects(*State) []Reference { return affected(KindInvoice, e.Invoice) }

func (e PaymentSucceeded) Apply(s *State, _ captable.Stamp) {
	s.settle(settled{e.Invoice, e.Attempt, true})
}

func (e PaymentFailed) Apply(s *State, _ captable.Stamp) {
	s.settle(settled{e.Invoice, e.Attempt, false})
}

// settled is the last recorded attempt of an invoice.
type settled struct {
	Invoice   InvoiceID `json:"invoice"`
	Attempt   uint64    `json:"attempt"`
	Succeeded bool      `json:"succeeded,omitempty"`
}

// mostSettled bounds the remembered invoices. There is about one in a month.
const mostSettled = 240

// settle remembers the attempt in a new list, because copies of the state share the old one.
func (s *State) settle(last settled) {
	kept := make([]settled, 0, len(s.payments)+1)
	for _, one := range s.payments {
		if one.Invoice != last.Invoice {
			kept = append(kept, one)
		}
	}
	kept = kept[max(0, len(kept)+1-mostSettled):]
	s.payments = append(kept, last)
}

func (c RecordPayment) Decide(s *State, _ DecideContext) ([]Event, error) {
	var faults fault.Fields
	if c.Invoice.IsZero() {
		faults.Add("/invoice", "required", "invoice is required.")
	}
	if !captable.IsCurrency(c.Amount.Currency) {
		faults.Add("/amount/currency", "pattern", "currency must be an ISO 4217 code such as USD.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(s.payments, func(one settled) bool { return one.Invoice == c.Invoice })
	switch {
	case at < 0:
	case s.payments[at].Succeeded, !c.Succeeded && s.payments[at].Attempt >= c.Attempt:
		return nil, nil
	}
	if c.Succeeded {
		return []Event{PaymentSucceeded{c.Payment}}, nil
	}
	return []Event{PaymentFailed{c.Payment}}, nil
}
