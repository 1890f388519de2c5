package people

import (
	"context"
	"encoding/json"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
)

// Credit stores the ledger of referral credit. Expected failures are a fault.Error with code
// insufficientCredit.
type Credit interface {
	Book(ctx context.Context, once messages.Once, booking credit.Booking) (booked messages.Booked, replayed bool, err error)
	Sums(ctx context.Context, account captable.EntityID) (messages.CreditSums, error)
	// History returns the bookings of the account before the given one, newest first.
	History(ctx context.Context, account captable.EntityID, before credit.BookingID, limit int) ([]credit.Booking, error)
}

func (s ledger) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"transferCredit":    s.transferCredit,
		"listCreditHistory": s.listCreditHistory,
	}
}

// creditTransfer is the request body of a transfer. The amount is a JSON number, which is parsed as a
// decimal.
type creditTransfer struct {
	FromEntity captable.EntityID `json:"fromEntity"`
	ToEntity   captable.EntityID `json:"toEntity"`
	Amount     json.Number       `json:"amount"`
}

// booking returns the requested booking and all its faults.
func (w creditTransfer) booking(id credit.BookingID, c *api.Call) (credit.Booking, fault.Fields) {
	amount, err := credit.ParseAmount(w.Amount.String())
	booking := credit.Booking{
		ID: id, From: w.FromEntity, To: w.ToEntity, Amount: amount, Kind: credit.KindTransfer, By: c.By(), At: c.At,
	}
	if err == nil {
		return booking, booking.Faults()
	}
	booking.Amount = 1 // avoids a second fault for the same field
	faults := booking.Faults()
	faults.Add(
		"/amount", "invalidAmount", "Write a positive number with at most 2 digits behind the point and no exponent, at most 1000000000.",
	)
	return booking, faults
}

// readTransfer returns the booking that the body requests.
func (s ledger) readTransfer(c *api.Call) (credit.Booking, error) {
	input, err := api.Decode[creditTransfer](c)
	if err != nil {
		return credit.Booking{}, err
	}
	booking, faults := input.booking(s.NewID(), c)
	return booking, api.WrongFields(faults)
}

// transferCredit moves credit out of an account that the caller controls. The booking transaction
// checks the balance, so that concurrent transfers cannot overdraw it.
func (s ledger) transferCredit(ctx context.Context, c *api.Call) (api.Answer, error) {
	booking, err := s.readTransfer(c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.mayAct(ctx, c, booking.From); err != nil {
		return api.Answer{}, err
	}
	if known, err := s.knows(ctx, booking.To); err != nil {
		return api.Answer{}, err
	} else if !known {
		return api.Answer{}, api.WrongField("/toEntity", "unknownReference", "The entity does not exist.")
	}
	booked, replayed, err := s.Credit.Book(ctx, c.Once(), booking)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "transfer credit", err))
	}
	record := creditTransferred{showBooking(booked.Booking), booked.Left}
	return api.Answer{Record: record, Replayed: replayed, Private: true}, nil
}

// knows reports whether an entity belongs to an account or an organization.
func (s ledger) knows(ctx context.Context, entity captable.EntityID) (bool, error) {
	_, err := s.Accounts.ByEntity(ctx, entity)
	if err == nil || !api.IsUnknownUser(err) {
		return err == nil, api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	view, err := s.View(ctx, organization.ID(entity))
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil && view != nil && !view.State.ID().IsZero(), err
}

// bookingRecord is the JSON form of a booking.
type bookingRecord struct {
	ID         credit.BookingID   `json:"id"`
	Kind       string             `json:"kind"`
	FromEntity *captable.EntityID `json:"fromEntity,omitempty"` // absent for credit granted by the operator
	ToEntity   captable.EntityID  `json:"toEntity"`
	Amount     credit.Amount      `json:"amount"`
	RecordedAt captable.Instant   `json:"recordedAt"`
}

// creditTransferred is a transfer with the remaining balance of its source.
type creditTransferred struct {
	bookingRecord
	Balance credit.Amount `json:"balance"`
}

func showBooking(b credit.Booking) bookingRecord {
	record := bookingRecord{ID: b.ID, Kind: b.Kind, ToEntity: b.To, Amount: b.Amount, RecordedAt: captable.InstantOf(b.At)}
	if b.From != credit.House() {
		record.FromEntity = &b.From
	}
	return record
}

// listCreditHistory pages by booking id, which is ordered by time. Older pages never change.
func (s ledger) listCreditHistory(ctx context.Context, c *api.Call) (api.Answer, error) {
	entity, err := s.pathEntity(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	limit := c.Limit()
	found, err := s.Credit.History(ctx, entity, c.After(), limit+1)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list credit", err))
	}
	list := api.Listed(found[:min(len(found), limit)], showBooking)
	if len(found) > limit {
		list.NextCursor = api.Cursor{Sequence: 1, After: found[limit-1].ID}.String()
	}
	return api.Answer{Record: list, Private: true}, nil
}

// creditChecks returns the checks of the bodies of operations without a dry run.
func (s ledger) creditChecks() map[string]func(*api.Call) error {
	return map[string]func(*api.Call) error{
		"addWallet":      func(c *api.Call) error { _, err := readWallet(c); return err },
		"transferCredit": func(c *api.Call) error { _, err := s.readTransfer(c); return err },
		"referCompany":   func(c *api.Call) error { _, _, err := readCompany(c); return err },
	}
}
