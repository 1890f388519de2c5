package billing

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"equity/fault"
	"equity/messages"
)

// tolerance is the largest difference between the time of a signature and the clock.
const tolerance = 300 * time.Second

// Received stores received events.
type Received interface {
	// Receive stores an event, unless it is stored already. It reports whether it is new.
	Receive(ctx context.Context, event messages.BillingEvent) (bool, error)
}

// Receiver checks and stores the events of the provider. It is safe for concurrent use.
type Receiver struct {
	secrets [][]byte
	live    bool
	store   Received
	knock   func()
	now     func() time.Time
}

// NewReceiver returns a Receiver that accepts signatures with any of the secrets. Knock reports a new event.
func NewReceiver(secrets []string, client *Client, store Received, knock func(), now func() time.Time) *Receiver {
	r := &Receiver{live: client.live, store: store, knock: knock, now: now}
	for _, secret := range secrets {
		r.secrets = append(r.secrets, []byte(secret))
	}
	return r
}

var errSignature = fault.Refuse(
	fault.InvalidSignature, "The signature is missing, wrong or too old, or belongs to the other mode of the provider.",
)

// Receive stores an event with a valid signature. A repetition is accepted too.
func (r *Receiver) Receive(ctx context.Context, body []byte, signature string) error {
	if !r.signed(body, signature) {
		return errSignature
	}
	event, live, err := r.read(body)
	if err != nil {
		return err
	}
	if live != r.live {
		return errSignature
	}
	fresh, err := r.store.Receive(ctx, event)
	if err != nil {
		return messages.Unavailable(ctx, "receive billing event", err)
	}
	if fresh {
		r.knock()
	}
	return nil
}

// signed reports whether one of the signatures in the header is that of the body with one of the secrets.
func (r *Receiver) signed(body []byte, header string) bool {
	var stamp string
	var given [][]byte
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			stamp = value
		case "v1":
			if decoded, err := hex.DecodeString(value); err == nil {
				given = append(given, decoded)
			}
		}
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || r.now().Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	valid := false
	for _, secret := range r.secrets {
		mac := hmac.New(sha256.New, secret)
		_, _ = mac.Write([]byte(stamp + "."))
		_, _ = mac.Write(body)
		expected := mac.Sum(nil)
		for _, one := range given {
			valid = hmac.Equal(expected, one) || valid
		}
	}
	return valid
}

// reference is an id of the provider, or a record with one.
type reference string

// UnmarshalJSON reads the id. Other values are ignored.
func (r *reference) UnmarshalJSON(text []byte) error {
	var id string
	if json.Unmarshal(text, &id) != nil {
		var record struct {
			ID string `json:"id"`
		}
		_ = json.Unmarshal(text, &record)
		id = record.ID
	}
	*r = reference(id)
	return nil
}

// eventBody contains the fields of an event that are needed to query the provider.
type eventBody struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Livemode bool   `json:"livemode"`
	Data     struct {
		Object struct {
			ID                string            `json:"id"`
			Object            string            `json:"object"`
			Customer          reference         `json:"customer"`
			Subscription      reference         `json:"subscription"`
			ClientReferenceID string            `json:"client_reference_id"`
			Metadata          map[string]string `json:"metadata"`
			Parent            struct {
				SubscriptionDetails struct {
					Subscription reference         `json:"subscription"`
					Metadata     map[string]string `json:"metadata"`
				} `json:"subscription_details"`
			} `json:"parent"`
		} `json:"object"`
	} `json:"data"`
}

// read returns the references of an event, and its mode.
func (r *Receiver) read(body []byte) (messages.BillingEvent, bool, error) {
	var given eventBody
	if err := json.Unmarshal(body, &given); err != nil || given.ID == "" || given.Type == "" {
		return messages.BillingEvent{}, false, fault.Refuse(fault.Invalid, "The body must be an event of the provider.")
	}
	object, details := &given.Data.Object, &given.Data.Object.Parent.SubscriptionDetails
	event := messages.BillingEvent{
		ID: given.ID, Type: given.Type, Customer: string(object.Customer), Subscription: string(object.Subscription),
		Claimed: object.Metadata["organization"], State: messages.BillingNew, ReceivedAt: r.now(),
	}
	switch object.Object {
	case "subscription":
		event.Subscription = object.ID
	case "invoice":
		event.Invoice, event.Subscription = object.ID, string(details.Subscription)
	}
	for _, other := range []string{details.Metadata["organization"], object.ClientReferenceID} {
		if event.Claimed == "" {
			event.Claimed = other
		}
	}
	if !handled(given.Type) {
		event.State = messages.BillingIgnored
	}
	return event, given.Livemode, nil
}

// handled reports whether events of the type have an effect.
func handled(eventType string) bool {
	return strings.HasPrefix(eventType, "customer.subscription.") || slices.Contains([]string{
		"checkout.session.completed", "invoice.paid", "invoice.payment_failed", "invoice.payment_action_required",
	}, eventType)
}
