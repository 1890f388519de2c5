package http

import (
	"context"
	"time"

	"equity/messages"
)

// How often the provider is asked for somebody: a page that is open asks again and again.
const (
	contactsPerHour = 60
	contactsWindow  = time.Hour
)

// contactList is whom somebody knows.
type contactList struct {
	Data []messages.Contact `json:"data"`
}

// listExternalContacts asks the identity provider whom the caller knows: nobody, for who does not sign in through it.
func (s *Server) listExternalContacts(ctx context.Context, c *Call) (Answer, error) {
	list := contactList{Data: []messages.Contact{}}
	if s.provider == nil {
		return Answer{Record: list, Private: true}, nil
	}
	if err := s.patience(ctx, "contacts "+c.Caller.User.String(), contactsPerHour, contactsWindow); err != nil {
		return Answer{}, err
	}
	identities, err := s.identities.IdentitiesOf(ctx, c.Caller.User)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "list identities", err))
	}
	for _, one := range identities {
		if !s.provider.Knows(one) {
			continue
		}
		known, err := s.provider.Contacts(ctx, one.Subject)
		if err != nil {
			return Answer{}, unreachable(theProvider, doing(ctx, "ask for contacts", err))
		}
		list.Data = append(list.Data, known...)
	}
	return Answer{Record: list, Private: true}, nil
}
