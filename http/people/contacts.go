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

// listExternalContacts lists the caller's contacts at the identity provider in the order of their addresses. The list is empty for
// users without an identity there.
func (s referrals) listExternalContacts(ctx context.Context, c *api.Call) (api.Answer, error) {
	known, err := s.contacts(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	page, err := api.PageByKey(c, known, func(_ int, one messages.Contact) string { return messages.CanonicalEmail(one.Email) })
	return api.Answer{Record: page, Private: true}, err
}

// contacts returns the contacts of all identities of the caller, each address once.
func (s referrals) contacts(ctx context.Context, c *api.Call) (all []messages.Contact, err error) {
	if s.Provider == nil {
		return nil, nil
	}
	if err := s.Throttle(ctx, "contacts "+c.Caller.User.String(), contactsPerHour, contactsWindow); err != nil {
		return nil, err
	}
	identities, err := s.Identities.IdentitiesOf(ctx, c.Caller.User)
	if err != nil {
		return nil, api.Unavailable(api.Wrap(ctx, "list identities", err))
	}
	seen := map[string]bool{}
	for _, one := range identities {
		if !s.Provider.Knows(one) {
			continue
		}
		known, err := s.Provider.Contacts(ctx, one.Subject)
		if err != nil {
			return nil, messages.Unreachable(api.TheProvider, api.Wrap(ctx, "ask for contacts", err))
		}
		for _, contact := range known {
			if address := messages.CanonicalEmail(contact.Email); !seen[address] {
				seen[address] = true
				all = append(all, contact)
			}
		}
	}
	return all, nil
}
