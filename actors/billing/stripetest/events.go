package stripetest

import (
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"
)

// Event is an event that the fake sends.
type Event struct {
	ID, Type string
	Body     []byte
}

// Signed returns the header of the event with the secret at the time.
func (e Event) Signed(secret string, at time.Time) string {
	return webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: e.Body, Secret: secret, Timestamp: at}).Header
}

// Delivery is the way in which events arrive.
type Delivery struct {
	// Times is the largest number of copies of an event; each has a random number of them.
	Times int
	// Shuffle changes the order.
	Shuffle bool
	// Drop is the part of events that do not arrive, in per cent.
	Drop int
}

// Take removes the events that were caused so far, and returns them as they arrive. Events that are not taken are delayed.
func (s *Server) Take(d Delivery, random *rand.Rand) []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	var arriving []Event
	for _, event := range s.events {
		if random.IntN(100) < d.Drop {
			continue
		}
		for range 1 + random.IntN(max(d.Times, 1)) {
			arriving = append(arriving, event)
		}
	}
	s.events = nil
	if d.Shuffle {
		random.Shuffle(len(arriving), func(i, j int) { arriving[i], arriving[j] = arriving[j], arriving[i] })
	}
	return arriving
}

// emit stores an event for delivery.
func (s *Server) emit(kind string, record object) {
	id := s.id("evt")
	body, err := json.Marshal(object{
		"id": id, "object": "event", "type": kind, "livemode": false, "api_version": "2026-03-25.dahlia", "created": s.now().Unix(),
		"data": object{"object": record},
	})
	if err == nil {
		s.events = append(s.events, Event{id, kind, body})
	}
}

// Emit sends an event of the type about the subscription without a change.
func (s *Server) Emit(kind, subscription string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emit(kind, s.shown(s.subscriptions[subscription]))
}

// AddCustomer adds a customer of an organization and returns its id.
func (s *Server) AddCustomer(organization string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.id("cus")
	s.customers[id] = object{"id": id, "object": "customer", "metadata": object{"organization": organization}, "invoice_settings": object{}}
	return id
}

// GiveCard adds a default payment method to a customer.
func (s *Server) GiveCard(customer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.customers[customer]["invoice_settings"] = object{"default_payment_method": card()}
}

// Subscribe adds a subscription to the monthly price of a plan, as a completed checkout does, and returns its id.
func (s *Server) Subscribe(customer, plan string, quantity int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	labels, _ := s.customers[customer]["metadata"].(object)
	id, _ := s.subscribe(customer, "price_"+plan+"_month", quantity, labels)["id"].(string)
	return id
}

// Change sets fields of a subscription, such as status or quantity, and sends an event.
func (s *Server) Change(subscription string, fields map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change(s.subscriptions[subscription], fields)
}

// Subscription returns a field of a subscription.
func (s *Server) Subscription(id, field string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.subscriptions[id][field]
}

// Item returns the item of a subscription.
func (s *Server) Item(subscription string) string {
	item, _ := s.Subscription(subscription, "item").(string)
	return item
}

// Customers returns the number of customers.
func (s *Server) Customers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.customers)
}

// Invoice adds an invoice of a subscription and returns its id.
func (s *Server) Invoice(subscription string, amount int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.id("in")
	one := s.subscriptions[subscription]
	s.invoices[id] = object{
		"id": id, "object": "invoice", "customer": one["customer"], "currency": "usd", "status": "open", "amount_due": amount,
		"amount_paid":   0,
		"attempt_count": 0,
		"parent": object{
			"type": "subscription_details", "subscription_details": object{"subscription": subscription, "metadata": one["metadata"]},
		},
	}
	next := clone(one)
	next["invoice"] = id
	s.subscriptions[subscription] = next
	return id
}

// Pay attempts to pay an invoice and sends an event.
func (s *Server) Pay(invoice string, succeeds bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := clone(s.invoices[invoice])
	attempts, _ := next["attempt_count"].(int)
	next["attempt_count"] = attempts + 1
	kind := "invoice.payment_failed"
	if succeeds {
		next["status"], next["amount_paid"], kind = "paid", next["amount_due"], "invoice.paid"
	} else {
		next["next_payment_attempt"] = s.now().AddDate(0, 0, 3).Unix()
	}
	s.invoices[invoice] = next
	s.emit(kind, next)
}
