package messages

import (
	"time"

	"equity/captable"
	"equity/organization"
)

// BillingCustomer is the customer of an organization at the billing provider.
type BillingCustomer struct {
	Organization organization.ID
	// Customer, Subscription and Item are ids of the provider. Subscription and Item are empty without a subscription.
	Customer, Subscription, Item string
	Card                         Card
	// DunnedAt is the time for which the last reminder was stored, and ReconciledAt the time of the last reconciliation; zero
	// without one.
	DunnedAt, ReconciledAt time.Time
	CreatedAt              time.Time
}

// Card is a payment method without its number. It is zero if the customer has none.
type Card struct {
	Brand, Last4 string
	// Expires is a month such as 2027-04.
	Expires string
}

// The states of a received event of the billing provider.
const (
	// BillingNew: the organization is not known yet.
	BillingNew = "new"
	// BillingAssigned: the organization is to query the provider.
	BillingAssigned = "assigned"
	// BillingDone: the organization has queried the provider since.
	BillingDone = "done"
	// BillingIgnored: events of this type have no effect.
	BillingIgnored = "ignored"
	// BillingUnknown: no organization has the customer.
	BillingUnknown = "unknown"
)

// BillingEvent contains the references of an event of the billing provider.
type BillingEvent struct {
	ID, Type string
	// Claimed is the organization that the metadata of the event names; it may be empty or wrong.
	Claimed string
	// Customer, Subscription and Invoice are ids of the provider. They may be empty.
	Customer, Subscription, Invoice string
	State                           string
	ReceivedAt                      time.Time
}

// BillingPush is the last transmission of the counts of an organization.
type BillingPush struct {
	// Sequence is the last event that the counts include.
	Sequence uint64
	organization.Counts
	// Quantity is the billed number of shareholders.
	Quantity uint64
	PushedAt time.Time
}

// BillingPlan is a plan that the billing provider offers.
type BillingPlan struct {
	Name, Description string
	Features          []string
	Limits            organization.PlanLimits
	Prices            []BillingPrice
}

// BillingPrice is the price of a plan for an interval: month or year.
type BillingPrice struct {
	Interval, Currency string
	Bands              []BillingBand
}

// BillingBand is the price of a unit up to a quantity, 0 for no limit, and an amount for the whole band.
type BillingBand struct {
	UpTo                   uint64
	UnitAmount, FlatAmount captable.Money
}

// BillingOrder is a request for a plan.
type BillingOrder struct {
	Plan, Interval, Coupon string
	// ReturnURL is the page that follows a payment.
	ReturnURL string
	// Key identifies the request in repetitions; it may be empty.
	Key string
}

// BillingCheckout is the page on which a user pays.
type BillingCheckout struct {
	URL       string
	ExpiresAt time.Time
}

// BillingReceipt is the result of an order: a new or changed subscription, or a page on which a user pays for it.
type BillingReceipt struct {
	Created  bool
	Checkout *BillingCheckout
}

// BillingQuote is the price of an order.
type BillingQuote struct {
	DueNow, DueAtRenewal captable.Money
	Lines                []BillingLine
}

// BillingLine is a line of an invoice.
type BillingLine struct {
	Description string
	Amount      captable.Money
	Quantity    uint64
	From, To    time.Time
	// Proration reports that the line balances a change within a period.
	Proration bool
}

// BillingDetails are the facts about billing that are stored beside the journal.
type BillingDetails struct {
	Card Card
	Push BillingPush
}
