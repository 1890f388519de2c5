package billing

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// subscription is the JSON form of a subscription.
type subscription struct {
	ID                 organization.SubscriptionID `json:"id,omitzero"`
	Organization       organization.ID             `json:"organization"`
	Plan               string                      `json:"plan"`
	Interval           string                      `json:"interval,omitempty"`
	Status             string                      `json:"status"`
	Quantity           uint64                      `json:"quantity"`
	UnitAmount         *captable.Money             `json:"unitAmount,omitempty"`
	Amount             *captable.Money             `json:"amount,omitempty"`
	CurrentPeriodStart captable.Instant            `json:"currentPeriodStart,omitzero"`
	CurrentPeriodEnd   captable.Instant            `json:"currentPeriodEnd,omitzero"`
	TrialEndsAt        captable.Instant            `json:"trialEndsAt,omitzero"`
	CancelAtPeriodEnd  bool                        `json:"cancelAtPeriodEnd"`
	CancelledAt        captable.Instant            `json:"cancelledAt,omitzero"`
	GraceEndsAt        captable.Instant            `json:"graceEndsAt,omitzero"`
	Coupon             string                      `json:"coupon,omitempty"`
	PaymentMethod      *card                       `json:"paymentMethod,omitempty"`
	Counts             counts                      `json:"counts"`
	Version            uint64                      `json:"version"`
}

type card struct {
	Brand   string `json:"brand"`
	Last4   string `json:"last4"`
	Expires string `json:"expires"`
}

type counts struct {
	Shareholders int       `json:"shareholders"`
	Members      int       `json:"members"`
	Billed       uint64    `json:"billed"`
	PushedAt     time.Time `json:"pushedAt,omitzero"`
	Pending      bool      `json:"pending"`
}

// shown returns the JSON form of the subscription of the view.
func (s base) shown(ctx context.Context, view *messages.View) (subscription, error) {
	details, err := s.Subscriptions.Details(ctx, view.State.ID())
	if err != nil {
		return subscription{}, api.Unavailable(err)
	}
	made := describe(view, details.Push)
	if details.Card != (messages.Card{}) {
		made.PaymentMethod = &card{details.Card.Brand, details.Card.Last4, details.Card.Expires}
	}
	return made, nil
}

// describe returns the JSON form of the subscription of the view, without the payment method.
func describe(view *messages.View, push messages.BillingPush) subscription {
	present := view.State.Counts()
	made := subscription{
		Organization: view.State.ID(), Plan: organization.PlanStart, Status: organization.SubscriptionNone,
		Counts: counts{Shareholders: present.Shareholders, Members: present.Members},
	}
	if found, exists := view.State.Subscription(); exists {
		billed := uint64(max(present.Shareholders, 1))
		made = subscription{
			ID: found.ID, Organization: view.State.ID(), Plan: found.Plan, Interval: found.Interval, Status: found.Status,
			Quantity:   found.Quantity,
			UnitAmount: found.UnitAmount, Amount: found.Amount, CurrentPeriodStart: found.CurrentPeriodStart,
			CurrentPeriodEnd: found.CurrentPeriodEnd,
			TrialEndsAt:      found.TrialEndsAt, CancelAtPeriodEnd: found.CancelAtPeriodEnd, CancelledAt: found.CancelledAt,
			GraceEndsAt: found.GraceEndsAt,
			Coupon:      found.Coupon, Version: found.Version, Counts: made.Counts,
		}
		made.Counts.Billed = found.Quantity
		if !push.PushedAt.IsZero() {
			made.Counts.Billed, made.Counts.PushedAt = push.Quantity, push.PushedAt
		}
		made.Counts.Pending = found.Live() && made.Counts.Billed != billed
	}
	return made
}

// Show returns the JSON form of a subscription or of a payment; false for other records.
func Show(view *messages.View, record any) (shown any, known bool) {
	switch r := record.(type) {
	case *organization.Subscription:
		return describe(view, messages.BillingPush{}), true
	case *organization.Payment:
		return r, true
	}
	return nil, false
}

func (s base) get(ctx context.Context, c *api.Call) (api.Answer, error) {
	shown, err := s.shown(ctx, c.View)
	if err != nil {
		return api.Answer{}, err
	}
	content, err := api.RenderJSON(shown)
	if err != nil {
		return api.Answer{}, err
	}
	return c.ReadTagged(shown, c.ContentTag(shown.Version, string(content))), nil
}

// order returns the order in the body.
func (s base) order(c *api.Call) (messages.BillingOrder, error) {
	given, err := api.Decode[struct {
		Plan      string `json:"plan"`
		Interval  string `json:"interval"`
		Coupon    string `json:"coupon"`
		ReturnURL string `json:"returnUrl"`
	}](c)
	if err != nil {
		return messages.BillingOrder{}, err
	}
	if given.Interval == "" {
		given.Interval = "month"
	}
	if given.ReturnURL != "" && !below(given.ReturnURL, s.PublicURL) {
		return messages.BillingOrder{}, api.WrongField(
			"/returnUrl", "foreignAddress", "returnUrl must be below the public address of this server.",
		)
	}
	return messages.BillingOrder{
		Plan: given.Plan, Interval: given.Interval, Coupon: given.Coupon, ReturnURL: given.ReturnURL, Key: c.Once().Key,
	}, nil
}

// below reports whether the address is on the site and below its path.
func below(address, site string) bool {
	given, err := url.Parse(address)
	if err != nil || strings.ContainsAny(address, "\\\r\n\t ") || given.User != nil || given.Opaque != "" {
		return false
	}
	base, err := url.Parse(site)
	if err != nil || base.Host == "" || given.Scheme != base.Scheme || !strings.EqualFold(given.Host, base.Host) {
		return false
	}
	root := strings.TrimSuffix(base.Path, "/") + "/"
	return strings.HasPrefix(path.Clean("/"+given.Path)+"/", root)
}

// receipt is the JSON form of the answer to an order.
type receipt struct {
	Subscription subscription `json:"subscription"`
	Checkout     *checkout    `json:"checkout,omitempty"`
}

type checkout struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// remembered is the stored form of an answer.
type remembered struct {
	Status int             `json:"status"`
	Record json.RawMessage `json:"record"`
}

func (s base) create(ctx context.Context, c *api.Call) (api.Answer, error) {
	order, err := s.order(c)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		command, err := s.Subscriptions.Trial(ctx, c.View, order)
		if err != nil {
			return api.Answer{}, err
		}
		return s.trial(ctx, c, command)
	}
	if earlier, found, err := s.earlier(ctx, c); err != nil || found {
		return earlier, err
	}
	made, err := s.Subscriptions.Subscribe(ctx, c.View, order, c.By())
	if err != nil {
		return api.Answer{}, err
	}
	view, err := s.View(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, err
	}
	answer := receipt{}
	if answer.Subscription, err = s.shown(ctx, view); err != nil {
		return api.Answer{}, err
	}
	if made.Checkout != nil {
		answer.Checkout = &checkout{made.Checkout.URL, made.Checkout.ExpiresAt}
	}
	status := http.StatusOK
	if made.Created {
		status = http.StatusCreated
	}
	return s.remember(ctx, c, status, answer)
}

// earlier returns the answer to an earlier request with the same idempotency key, or false.
func (s base) earlier(ctx context.Context, c *api.Call) (api.Answer, bool, error) {
	stored, found, err := s.Answers.Answered(ctx, c.Once())
	if err != nil || !found {
		return api.Answer{}, false, api.Unavailable(err)
	}
	var first remembered
	if err := json.Unmarshal(stored, &first); err != nil {
		return api.Answer{}, false, err
	}
	return api.Answer{
		Status: first.Status, Record: first.Record, Location: location(c, first.Status), Replayed: true, Private: true,
	}, true, nil
}

// remember stores the answer for a repetition of the request.
func (s base) remember(ctx context.Context, c *api.Call, status int, record any) (api.Answer, error) {
	rendered, err := api.RenderJSON(record)
	if err != nil {
		return api.Answer{}, err
	}
	stored, err := json.Marshal(remembered{status, rendered})
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Answers.Remember(context.WithoutCancel(ctx), c.Once(), stored); err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	return api.Answer{Status: status, Record: record, Location: location(c, status), Private: true}, nil
}

// location returns the path of the subscription after its creation.
func location(c *api.Call, status int) string {
	if status != http.StatusCreated {
		return ""
	}
	return "/organization/" + c.Organization.String() + "/subscription"
}

// trial returns the events that a command would cause.
func (s base) trial(ctx context.Context, c *api.Call, command organization.RecordSubscription) (api.Answer, error) {
	reply, err := s.Decide(ctx, c, command, nil)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Preview(c, reply), nil
}

func (s base) cancel(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, exists := c.View.State.Subscription()
	if !exists || found.ID != api.PathID[organization.Subscription](c, "subscription") {
		return api.Answer{}, api.NotFound()
	}
	expected, err := c.Expected()
	if err != nil {
		return api.Answer{}, err
	}
	if expected != nil && *expected != found.Version {
		return api.Answer{}, fault.StaleRecord()
	}
	immediately := c.Query("immediately") == "true"
	if c.DryRun() {
		command := organization.RecordSubscription{SubscriptionTerms: found.SubscriptionTerms, Seen: found.Version}
		if command.CancelAtPeriodEnd = true; immediately {
			command.Status, command.CancelAtPeriodEnd = organization.SubscriptionCancelled, found.CancelAtPeriodEnd
		}
		return s.trial(ctx, c, command)
	}
	if err := s.Subscriptions.Cancel(ctx, c.View, immediately, c.By()); err != nil {
		return api.Answer{}, err
	}
	if c.View, err = s.View(ctx, c.Organization); err != nil {
		return api.Answer{}, err
	}
	shown, err := s.shown(ctx, c.View)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answered(shown, api.VersionTag(shown.Version, c.View.Sequence)), nil
}
