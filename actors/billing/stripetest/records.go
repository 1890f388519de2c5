package stripetest

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// products are the plans growth with its own limits and scale.
func products() []object {
	return []object{
		{"id": "prod_start", "object": "product", "active": true, "description": "For founders", "metadata": object{"plan": "start"}},
		{
			"id": "prod_growth", "object": "product", "active": true, "description": "For teams",
			"metadata":           object{"plan": "growth", "limit_shareholders": "300"},
			"marketing_features": []object{{"name": "Scenarios"}},
		},
		{"id": "prod_scale", "object": "product", "active": true, "metadata": object{"plan": "scale"}},
		{"id": "prod_other", "object": "product", "active": true, "metadata": object{}},
	}
}

func product(id string) object {
	all := products()
	return all[slices.IndexFunc(all, func(p object) bool { return p["id"] == id })]
}

func prices() []object {
	priced := func(plan, interval string, amount int) object {
		return object{
			"id": "price_" + plan + "_" + interval, "object": "price", "active": true, "currency": "usd", "type": "recurring",
			"product":     "prod_" + plan,
			"unit_amount": amount, "unit_amount_decimal": strconv.Itoa(amount), "billing_scheme": "per_unit",
			"recurring": object{"interval": interval, "interval_count": 1},
		}
	}
	tiered := priced("scale", "month", 0)
	tiered["billing_scheme"], tiered["tiers_mode"] = "tiered", "graduated"
	tiered["tiers"] = []object{
		{"up_to": 10, "unit_amount": 1000, "unit_amount_decimal": "1000"}, {"up_to": nil, "unit_amount": 500, "unit_amount_decimal": "500"},
	}
	delete(tiered, "unit_amount")
	delete(tiered, "unit_amount_decimal")
	return []object{priced("growth", "month", 1250), priced("growth", "year", 12000), tiered}
}

func price(id string) object {
	all := prices()
	found := all[slices.IndexFunc(all, func(p object) bool { return p["id"] == id })]
	name, _ := found["product"].(string)
	found["product"] = product(name)
	return found
}

func (s *Server) customer(r Request, id string) (int, object) {
	if id == "" {
		id = s.id("cus")
		s.customers[id] = object{"id": id, "object": "customer", "metadata": metadata(r, "metadata"), "invoice_settings": object{}}
		return http.StatusOK, s.customers[id]
	}
	if found, ok := s.customers[id]; ok {
		return http.StatusOK, found
	}
	return missing()
}

// metadata returns the fields of a form such as metadata[organization].
func metadata(r Request, prefix string) object {
	fields := object{}
	for name := range r.Form {
		if rest, ok := strings.CutPrefix(name, prefix+"["); ok {
			fields[strings.TrimSuffix(rest, "]")] = r.Form.Get(name)
		}
	}
	return fields
}

// card is the payment method of paying customers.
func card() object {
	return object{
		"id": "pm_1", "object": "payment_method", "type": "card",
		"card": object{"brand": "visa", "last4": "4242", "exp_month": 4, "exp_year": 2030},
	}
}

func (s *Server) subscription(r Request, id string) (int, object) {
	switch {
	case id == "" && r.Method == http.MethodGet:
		var found []object
		for _, id := range slices.Sorted(maps.Keys(s.subscriptions)) {
			if one := s.subscriptions[id]; s.of(one) == r.Form.Get("customer") && one["status"] != "canceled" {
				found = append(found, s.shown(one))
			}
		}
		return list(found)
	case id == "":
		number, _ := strconv.Atoi(r.Form.Get("items[0][quantity]"))
		made := s.subscribe(r.Form.Get("customer"), r.Form.Get("items[0][price]"), number, metadata(r, "metadata"))
		return http.StatusOK, s.shown(made)
	}
	found, ok := s.subscriptions[id]
	if !ok {
		return missing()
	}
	switch r.Method {
	case http.MethodDelete:
		if found["status"] == "canceled" {
			return missing()
		}
		s.change(found, object{"status": "canceled", "canceled_at": s.now().Unix(), "ended_at": s.now().Unix()})
	case http.MethodPost:
		next := object{}
		if end := r.Form.Get("cancel_at_period_end"); end != "" {
			next["cancel_at_period_end"] = end == "true"
		}
		if to := r.Form.Get("items[0][price]"); to != "" {
			next["price"] = to
		}
		s.change(found, next)
	}
	return http.StatusOK, s.shown(s.subscriptions[id])
}

// of returns the customer of a subscription.
func (s *Server) of(subscription object) string {
	id, _ := subscription["customer"].(string)
	return id
}

func (s *Server) subscribe(customer, priced string, quantity int, labels object) object {
	start := s.now()
	made := object{
		"id": s.id("sub"), "object": "subscription", "customer": customer, "status": "active", "metadata": labels,
		"cancel_at_period_end": false,
		"item":                 s.id("si"), "price": priced, "quantity": quantity, "start": start.Unix(),
		"end":     start.AddDate(0, 1, 0).Unix(),
		"created": start.Unix(),
	}
	id, _ := made["id"].(string)
	s.subscriptions[id] = made
	s.emit("customer.subscription.created", s.shown(made))
	return made
}

// change changes a subscription and sends an event.
func (s *Server) change(found, fields object) {
	next := clone(found)
	maps.Copy(next, fields)
	id, _ := next["id"].(string)
	s.subscriptions[id] = next
	kind := "customer.subscription.updated"
	if next["status"] == "canceled" {
		kind = "customer.subscription.deleted"
	}
	s.emit(kind, s.shown(next))
}

// shown returns a subscription in the form of the API, with all expansions that billing requests.
func (s *Server) shown(one object) object {
	name, _ := one["price"].(string)
	item := object{
		"id": one["item"], "object": "subscription_item", "price": price(name), "quantity": one["quantity"],
		"current_period_start": one["start"], "current_period_end": one["end"],
	}
	shown := clone(one)
	for _, field := range []string{"item", "price", "quantity", "start", "end"} {
		delete(shown, field)
	}
	shown["items"] = object{"object": "list", "data": []object{item}, "has_more": false}
	shown["customer"] = s.customers[s.of(one)]
	shown["default_payment_method"] = card()
	if invoice, ok := one["invoice"].(string); ok {
		shown["latest_invoice"] = s.invoices[invoice]
	}
	delete(shown, "invoice")
	return shown
}

func (s *Server) item(r Request, id string) (int, object) {
	for _, one := range s.subscriptions {
		if one["item"] != id {
			continue
		}
		number, _ := strconv.Atoi(r.Form.Get("quantity"))
		if one["status"] == "canceled" {
			return http.StatusBadRequest, object{"error": object{"type": "invalid_request_error", "message": "canceled"}}
		}
		if one["quantity"] != number {
			s.change(one, object{"quantity": number})
		}
		return http.StatusOK, object{"id": id, "object": "subscription_item", "quantity": number}
	}
	return missing()
}

func (s *Server) invoice(r Request, id string) (int, object) {
	if id == "create_preview" {
		number, _ := strconv.Atoi(r.Form.Get("subscription_details[items][0][quantity]"))
		amount, _ := price(r.Form.Get("subscription_details[items][0][price]"))["unit_amount"].(int)
		line := object{
			"id": "il_1", "object": "line_item", "amount": amount * number, "currency": "usd", "description": "Shareholders",
			"quantity": number,
			"period":   object{"start": s.now().Unix(), "end": s.now().AddDate(0, 1, 0).Unix()},
		}
		return http.StatusOK, object{
			"object": "invoice", "currency": "usd", "amount_due": amount * number,
			"lines": object{"object": "list", "data": []object{line}},
		}
	}
	if found, ok := s.invoices[id]; ok {
		return http.StatusOK, found
	}
	return missing()
}
