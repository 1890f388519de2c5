package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"equity/http/schema"
	"equity/messages"
)

// Limits for the list of contacts.
const (
	longestContacts = 1 << 20 // bytes
	mostContacts    = 1000
)

// people is a list of the Google People API. The first name and the first address of a person are the primary
// ones.
type people struct {
	Connections []struct {
		Names []struct {
			Name string `json:"displayName"`
		} `json:"names"`
		Addresses []struct {
			Email string `json:"value"`
		} `json:"emailAddresses"`
	} `json:"connections"`
}

// Knows reports whether the provider issued the identity.
func (p *Provider) Knows(i messages.Identity) bool { return i.Issuer == p.settings.Issuer }

// Contacts returns the subject's contacts at the provider, each address once, at most a thousand. The list is
// empty if no contacts URL is configured. Contacts without a valid e-mail address are omitted.
func (p *Provider) Contacts(ctx context.Context, subject string) ([]messages.Contact, error) {
	if p.settings.Contacts == "" {
		return nil, nil
	}
	known, err := p.peopleOf(ctx, subject)
	if err != nil {
		return nil, fmt.Errorf("contacts: %w", err)
	}
	var contacts []messages.Contact
	seen := map[string]bool{}
	for _, one := range known.Connections {
		if len(one.Addresses) == 0 || len(contacts) == mostContacts {
			continue
		}
		contact := messages.Contact{Email: strings.TrimSpace(one.Addresses[0].Email)}
		if len(one.Names) > 0 {
			contact.Name = oneLine(one.Names[0].Name)
		}
		if folded := strings.ToLower(contact.Email); schema.IsEmail(contact.Email) && !seen[folded] {
			seen[folded] = true
			contacts = append(contacts, contact)
		}
	}
	return contacts, nil
}

func (p *Provider) peopleOf(ctx context.Context, subject string) (known people, err error) {
	written := strings.ReplaceAll(url.QueryEscape(subject), "+", "%20") // so that it is valid in a path too
	address := strings.ReplaceAll(p.settings.Contacts, "{subject}", written)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return known, err
	}
	request.Header.Set("Authorization", "Bearer "+p.settings.Token)
	request.Header.Set("Accept", "application/json")
	answer, err := p.client.Do(request)
	if err != nil {
		return known, err
	}
	defer func() { _ = answer.Body.Close() }() // the body was only read
	if answer.StatusCode != http.StatusOK {
		return known, fmt.Errorf("the provider answered %s", answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, longestContacts+1))
	switch {
	case err != nil:
		return known, err
	case len(text) > longestContacts:
		return known, fmt.Errorf("the provider's answer has more than %d bytes", longestContacts)
	default:
		return known, json.Unmarshal(text, &known)
	}
}
