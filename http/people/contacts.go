package people

import (
	"context"
	"time"

	"equity/http/api"
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
func (s referrals) listExternalContacts(ctx context.Context, c *api.Call) (api.Answer, error) {
	list := contactList{Data: []messages.Contact{}}
	if s.Provider == nil {
		return api.Answer{Record: list, Private: true}, nil
	}
	if err := s.Throttle(ctx, "contacts "+c.Caller.User.String(), contactsPerHour, contactsWindow); err != nil {
		return api.Answer{}, err
	}
	identities, err := s.Identities.IdentitiesOf(ctx, c.Caller.User)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list identities", err))
	}
	for _, one := range identities {
		if !s.Provider.Knows(one) {
			continue
		}
		known, err := s.Provider.Contacts(ctx, one.Subject)
		if err != nil {
			return api.Answer{}, messages.Unreachable(api.TheProvider, api.Wrap(ctx, "ask for contacts", err))
		}
		list.Data = append(list.Data, known...)
	}
	return api.Answer{Record: list, Private: true}, nil
}
