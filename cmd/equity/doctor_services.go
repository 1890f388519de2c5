package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"equity/actors/billing"
	"equity/actors/consumer"
	"equity/actors/office"
	"equity/app"
	"equity/app/doctor"
	"equity/config"
	"equity/egress"
	"equity/http/identity"
)

// A service that is not configured has no line in the report.

func (e examination) breakers() *consumer.Breakers { return consumer.NewBreakers(e.p.now) }

// rooms returns the checks of the rooms.
func (e examination) rooms() (checks []doctor.Check) {
	core := app.Core{Config: e.c, Breakers: e.breakers(), Log: slog.New(slog.DiscardHandler), Now: e.p.now, Pause: pause}
	for _, room := range rooms() {
		if room.Check != nil {
			checks = append(checks, func(ctx context.Context) []doctor.Finding { return room.Check(ctx, core) })
		}
	}
	return checks
}

// provider checks the discovery document and the keys of the identity provider.
func (e examination) provider(ctx context.Context) []doctor.Finding {
	const check = "identity provider"
	if e.c.IDPIssuer == "" {
		return nil
	}
	keys, err := identity.New(identity.Settings{Issuer: e.c.IDPIssuer, Audience: e.c.IDPClientID, Now: e.p.now}).Ping(ctx)
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, "check IDP_ISSUER, which must equal the issuer of the discovery document", "%v", err)}
	}
	return []doctor.Finding{doctor.Good(check, "%s has %d keys", e.c.IDPIssuer, keys)}
}

// billing reads the plans at the billing provider.
func (e examination) billing(ctx context.Context) []doctor.Finding {
	const check, repair = "billing", "check BILLING_SECRET_KEY, BILLING_URL and the plans of the account (docs/integrations.md)"
	if e.c.BillingSecretKey == "" {
		return nil
	}
	client, err := billing.NewClient(e.c.BillingSecretKey.Reveal(), e.c.BillingURL, e.breakers(), e.p.now)
	if err == nil {
		err = billing.NewConsumer(billing.Options{Client: client, Now: e.p.now}).Warm(ctx)
	}
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, repair, "%v", err)}
	}
	return []doctor.Finding{doctor.Good(check, "the provider has the plans")}
}

// office reads the document library.
func (e examination) office(ctx context.Context) []doctor.Finding {
	const check = "office suite"
	if !e.c.HasOfficeSuite() {
		return nil
	}
	o := e.c.OfficeSuite
	client := office.NewClient(office.App{
		TenantID: o.TenantID, ClientID: o.ClientID, ClientSecret: o.ClientSecret.Reveal(), DriveID: o.DriveID, URL: o.URL,
		LoginURL: o.LoginURL,
	}, e.breakers(), e.p.now, pause)
	if err := client.Ping(ctx); err != nil {
		return []doctor.Finding{doctor.Fail(
			check, "check the settings OFFICE_SUITE_*, the permission Sites.Selected and the access to the site", "%v", reason(err),
		)}
	}
	return []doctor.Finding{doctor.Good(check, "the document library can be read")}
}

// reason returns the error with its private cause.
func reason(err error) error {
	if cause := errors.Unwrap(err); cause != nil && cause.Error() != err.Error() {
		return fmt.Errorf("%w (%w)", err, cause)
	}
	return err
}

// The default addresses of the providers of language models.
const (
	openAIAddress    = "https://api.openai.com/v1"
	anthropicAddress = "https://api.anthropic.com/v1"
)

// model lists the models, which is not billed.
func (e examination) model(ctx context.Context) []doctor.Finding {
	const check, repair = "language model", "check AGENT_PROVIDER, AGENT_URL and AGENT_API_KEY"
	if !e.c.HasAgent() || e.c.Agent.Provider == config.AgentEmbedded {
		return nil
	}
	base, header, value := cmp.Or(e.c.Agent.URL, openAIAddress), "Authorization", "Bearer "+e.c.Agent.APIKey.Reveal()
	if e.c.Agent.Provider == config.AgentAnthropic {
		base, header, value = cmp.Or(e.c.Agent.URL, anthropicAddress), "X-Api-Key", e.c.Agent.APIKey.Reveal()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/models", nil)
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, repair, "%v", err)}
	}
	request.Header.Set(header, value)
	request.Header.Set("Anthropic-Version", "2023-06-01")
	status, err := statusOf(request)
	switch {
	case err != nil:
		return []doctor.Finding{doctor.Fail(check, repair, "%v", err)}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return []doctor.Finding{doctor.Fail(check, repair, "%s refuses the key (status %d)", hostOf(base), status)}
	case status != http.StatusOK:
		return []doctor.Finding{doctor.Warn(
			check, repair, "%s answers the list of models with the status %d, so that the key was not checked", hostOf(base), status,
		)}
	}
	return []doctor.Finding{doctor.Good(check, "%s accepts the key", hostOf(base))}
}

// statusOf sends a request without following redirects, and returns the status of the answer.
func statusOf(request *http.Request) (int, error) {
	answer, err := egress.NewClient(nil, 0).Do(request)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// hooks checks the file of inbound hooks with their mappings and transforms.
func (e examination) hooks(context.Context) []doctor.Finding {
	const check = "inbound hooks"
	loaded, err := loadHooks(e.c)
	if err == nil && !loaded.Enabled {
		return nil
	}
	if err == nil {
		_, err = gatewayOf(e.p, e.c, hookParts{config: loaded}, nil, slog.New(slog.DiscardHandler))
	}
	switch {
	case err != nil:
		text := err.Error()
		if loaded.Token != "" { // of the file, which no setting contains
			text = strings.ReplaceAll(text, loaded.Token, "********")
		}
		return []doctor.Finding{doctor.Fail(check, "correct HOOKS_FILE or the settings HOOKS_*", "%s", text)}
	case e.c.Hooks.Organization == "":
		return []doctor.Finding{
			doctor.Warn(check, "set HOOKS_ORGANIZATION, if HOOKS_TOKEN is used", "only the hook tokens of organizations are accepted"),
		}
	}
	return []doctor.Finding{doctor.Good(check, "%d mappings are valid", len(loaded.Mappings))}
}

// address checks that the server, or its reverse proxy, answers at the public address.
func (e examination) address(ctx context.Context) []doctor.Finding {
	const check, repair = "public address", "start the server, and check PUBLIC_URL, the name server and the reverse proxy"
	if e.c.PublicURL == "" {
		return nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.c.PublicURL+"/readyz", nil)
	if err != nil {
		return []doctor.Finding{doctor.Warn(check, repair, "%v", err)}
	}
	status, err := statusOf(request)
	switch {
	case err != nil:
		return []doctor.Finding{doctor.Warn(check, repair, "no server answers: %v", err)}
	case status != http.StatusOK:
		return []doctor.Finding{doctor.Warn(check, repair, "%s/readyz answers with the status %d", e.c.PublicURL, status)}
	}
	return []doctor.Finding{doctor.Good(check, "the server at %s is ready", e.c.PublicURL)}
}
