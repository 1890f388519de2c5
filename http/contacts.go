package http

import (
	"context"
	"time"

	"equity/messages"
)

// Limits of requests to the provider: an open page repeats them.
const (
	contactsPerHour = 60
	contactsWindow  = time.Hour
)

// contactList is the JSON form of the contacts.
type contactList struct {
	Data []messages.Contact `json:"data"`
}

// listExternalContacts lists the caller's contacts at the identity provider. The list is empty for
// users without an identity there.
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
