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

// What of a list of contacts is read.
const (
	longestContacts = 1 << 20 // bytes
	mostContacts    = 1000
)

// people is a list as the People API of Google has it: everybody with their names and addresses, the first of which is
// the one to use.
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

// Knows tells whether the provider is who vouches for the identity.
func (p *Provider) Knows(i messages.Identity) bool { return i.Issuer == p.settings.Issuer }

// Contacts gives whom the provider says that the subject knows, each address once, at most a thousand; nobody where the
// provider is not asked. Who has no address that mail could be sent to is left out.
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
	written := strings.ReplaceAll(url.QueryEscape(subject), "+", "%20") // so that it fits a path as well
	address := strings.ReplaceAll(p.settings.Contacts, "{subject}", written)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return known, err
	}
	request.Header.Set("Authorization", "Bearer "+p.settings.Token)
	request.Header.Set("Accept", "application/json")
	client := *p.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the token goes nowhere else
	answer, err := client.Do(request)
	if err != nil {
		return known, err
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
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
