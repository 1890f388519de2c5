package stripetest

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// session creates a session of a page for users, with the address of that page.
func (s *Server) session(r Request, prefix, kind, address string) object {
	id := s.id(prefix)
	s.sessions[id] = r.Form
	if s.OwnPages {
		address = s.URL + "/pages/" + id
	}
	return object{"id": id, "object": kind, "url": address, "expires_at": s.now().Add(24 * time.Hour).Unix()}
}

// page is the page of a session: a checkout with a button that pays, or the portal with a link back.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	form, known := s.sessions[r.PathValue("session")]
	s.mu.Unlock()
	if !known {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if back := form.Get("return_url"); back != "" {
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Billing portal</title><h1>Billing portal</h1><a href=%q>Return</a>`, back)
		return
	}
	_, _ = fmt.Fprintf(w, `<!doctype html><title>Checkout</title><h1>Checkout</h1><form method="post"><p>%s × %s</p><button>Pay</button></form>`,
		form.Get("line_items[0][quantity]"), form.Get("line_items[0][price]"))
}

// pay completes a checkout: the customer has a card and a subscription.
func (s *Server) pay(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	form, known := s.sessions[r.PathValue("session")]
	number, err := strconv.Atoi(form.Get("line_items[0][quantity]"))
	if !known || err != nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	customer := form.Get("customer")
	s.customers[customer]["invoice_settings"] = object{"default_payment_method": card()}
	s.subscribe(customer, form.Get("line_items[0][price]"), number, metadata(Request{Form: form}, "subscription_data[metadata]"))
	w.Header().Set("Location", form.Get("success_url"))
	w.WriteHeader(http.StatusSeeOther)
}
