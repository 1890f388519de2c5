package webhook

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"equity/fault"
	"equity/features/webhook/endpoint"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// handlers are the operations of webhooks.
type handlers struct {
	*api.Kernel
	engine  *Engine
	answers *persistence.Answers
	newID   func() [16]byte
}

func (s *handlers) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"listWebhooks": s.list, "createWebhook": s.create, "getWebhook": s.get, "changeWebhook": s.change, "deleteWebhook": s.remove,
		"rotateWebhookSecret": s.rotate, "testWebhook": s.test, "listWebhookDeliveries": s.deliveries,
		"replayWebhookDelivery": s.replayOne, "replayWebhook": s.replay,
	}
}

// record is the JSON form of a webhook.
type record struct {
	ID string `json:"id"`
	endpoint.Terms
	URL            string    `json:"url,omitempty"`
	Description    string    `json:"description"`
	DisabledReason string    `json:"disabledReason,omitempty"`
	ActsFor        string    `json:"actsFor,omitempty"`
	Limitation     string    `json:"limitation,omitempty"`
	Created        time.Time `json:"created"`
	Version        uint64    `json:"version"`
	LastDelivery   *last     `json:"lastDelivery,omitempty"`
	Secret         string    `json:"secret,omitempty"`
}

// last is the JSON form of the last attempt.
type last struct {
	Timestamp    time.Time `json:"timestamp"`
	EventID      string    `json:"eventId"`
	Status       string    `json:"status"`
	StatusCode   int       `json:"statusCode"`
	Attempts     int       `json:"attempts"`
	Milliseconds int64     `json:"ms"`
}

func show(webhook *endpoint.Webhook) record {
	return record{
		ID: endpoint.Name(webhook.ID), Terms: webhook.Terms, URL: webhook.URL, Description: webhook.Description,
		DisabledReason: webhook.DisabledReason, Created: webhook.CreatedAt.Time(), Version: webhook.Version,
	}
}

// withAddress returns the JSON form of a webhook. The address and the description, which can contain secrets, are included only for callers
// with editOrganizationDetails.
func withAddress(c *api.Call, webhook *endpoint.Webhook) record {
	shown := show(webhook)
	if !c.Can(organization.EditOrganizationDetails) {
		shown.URL, shown.Description, shown.DisabledReason = "", "", ""
	}
	return shown
}

// withRights is withAddress with the member for whom the webhook acts, for the same callers.
func withRights(c *api.Call, webhook *endpoint.Webhook) record {
	shown := withAddress(c, webhook)
	if c.Can(organization.EditOrganizationDetails) {
		shown.ActsFor, shown.Limitation = rightsOf(c.View.State, webhook)
	}
	return shown
}

// rightsOf returns the name of the member with whose rights the webhook acts, and the reason for which it does not send all selected events.
func rightsOf(state *organization.State, webhook *endpoint.Webhook) (name, limitation string) {
	reader, ok := state.Reader(webhook.Author, webhook.Rights)
	if !ok {
		return "", "The account that saved the webhook last is no member any more. No event is sent. Save the webhook to take it over."
	}
	name = reader.Member.FullName
	if missing := webhook.Needs() &^ reader.Permissions; missing != 0 {
		limitation = "The webhook acts with the rights of " + name + " and lacks " + strings.Join(missing.Names(), ", ") +
			". Events that need them are not sent. A member with them takes the webhook over by saving it."
	}
	return name, limitation
}

// found returns the webhook in the path.
func found(c *api.Call) (*endpoint.Webhook, error) {
	id, _ := endpoint.ParseName(c.Path("webhook")) // valid by the contract
	webhook, ok := endpoint.Of(c.View.State).Get(id)
	if !ok {
		return nil, api.NotFound()
	}
	return webhook, nil
}

// described returns the JSON form of a webhook with its last delivery.
func (s *handlers) described(ctx context.Context, c *api.Call, webhook *endpoint.Webhook) (record, error) {
	shown := withRights(c, webhook)
	latest, err := s.engine.Deliveries(ctx, c.Organization, webhook.ID, Position{}, 1)
	if err != nil {
		return record{}, api.Unavailable(err)
	}
	for i := range latest {
		d := &latest[i]
		shown.LastDelivery = &last{d.AttemptedAt, d.EventID, d.State, d.StatusCode, d.Attempts, d.Duration.Milliseconds()}
	}
	return shown, nil
}

func (s *handlers) list(ctx context.Context, c *api.Call) (api.Answer, error) {
	all := api.Page[record]{Data: []record{}}
	if !c.Can(organization.ViewOrganization) && !c.Can(organization.EditOrganizationDetails) {
		return api.ReadContent(c, all, 0)
	}
	key := func(_ int, webhook *endpoint.Webhook) string { return string(webhook.ID[:]) }
	page, err := api.PageByKey(c, endpoint.Of(c.View.State).All(), key)
	if err != nil {
		return api.Answer{}, err
	}
	all.NextCursor = page.NextCursor
	for _, webhook := range page.Data {
		shown, err := s.described(ctx, c, webhook)
		if err != nil {
			return api.Answer{}, err
		}
		all.Data = append(all.Data, shown)
	}
	return api.ReadContent(c, all, 0)
}

func (s *handlers) get(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	shown, err := s.described(ctx, c, webhook)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, shown, webhook.Version)
}

func (s *handlers) create(ctx context.Context, c *api.Call) (api.Answer, error) {
	terms := endpoint.Terms{Active: true}
	if err := json.Unmarshal(c.Body, &terms); err != nil {
		return api.Answer{}, api.WrongField("", "wrongType", err.Error())
	}
	if err := s.engine.Check(ctx, terms.URL); err != nil {
		return api.Answer{}, err
	}
	id := endpoint.ID(s.newID())
	secret, sealed, err := s.engine.Secret(id)
	if err != nil {
		return api.Answer{}, err
	}
	answer, err := s.withSecret(ctx, c, endpoint.Create{ID: id, Terms: terms}, nil, secret, sealed)
	if err == nil && !c.DryRun() {
		answer.Status = http.StatusCreated
	}
	return answer, err
}

// mostRotations bounds the attempts to rotate a secret while others rotate it too.
const mostRotations = 5

func (s *handlers) rotate(ctx context.Context, c *api.Call) (api.Answer, error) {
	for attempt := 1; ; attempt++ {
		webhook, err := found(c)
		if err != nil {
			return api.Answer{}, err
		}
		secret, sealed, err := s.engine.Rotated(ctx, c.Organization, webhook.ID)
		if err != nil {
			return api.Answer{}, err
		}
		answer, err := s.withSecret(ctx, c, endpoint.RotateSecret{ID: webhook.ID}, webhook, secret, sealed)
		if !fault.Is(err, fault.Stale) || c.Header("If-Match") != "" || attempt == mostRotations {
			return answer, err
		}
		if c.View, err = s.View(ctx, c.Organization); err != nil { // another caller changed the webhook
			return api.Answer{}, err
		}
	}
}

// withSecret carries out a command that stores a secret, and returns the webhook with it. The command is refused if the webhook
// was changed since it was read, so that the stored secrets are those of the last rotation.
func (s *handlers) withSecret(
	ctx context.Context, c *api.Call, body organization.CommandOf[*endpoint.Webhook], read *endpoint.Webhook,
	secret string, sealed messages.Sealed,
) (api.Answer, error) {
	command, err := c.Command(body, nil)
	if err != nil {
		return api.Answer{}, err
	}
	if read != nil {
		if command, err = c.Command(body, read.ID); err != nil {
			return api.Answer{}, err
		}
		if command.Expect == nil {
			command.Expect = &messages.Expectation{Record: read.ID, Version: read.Version}
		}
	}
	command.Sealed = []messages.Sealed{sealed}
	reply, err := s.Do(ctx, c, messages.With(command, body))
	if err != nil {
		return api.Answer{}, err
	}
	webhook, err := messages.ResultOf[*endpoint.Webhook](reply)
	if err != nil {
		return api.Answer{}, err
	}
	shown := withRights(c, webhook)
	if c.DryRun() {
		return s.Preview(c, reply, shown), nil
	}
	shown.Secret = secret
	if reply.Replayed {
		if shown.Secret, err = s.engine.Current(ctx, c.Organization, webhook.ID); err != nil {
			return api.Answer{}, err
		}
	}
	location := ""
	if read == nil {
		location = "/organization/" + c.Organization.String() + "/webhook/" + shown.ID
	}
	return api.Answer{
		Record: shown, Location: location, ETag: api.VersionTag(webhook.Version, reply.Sequence), Private: true, Replayed: reply.Replayed,
	}, nil
}

func (s *handlers) change(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	var given struct {
		URL *string `json:"url"`
	}
	if err := json.Unmarshal(c.Body, &given); err != nil {
		return api.Answer{}, api.WrongField("", "wrongType", err.Error())
	}
	if given.URL != nil && *given.URL != webhook.URL {
		if err := s.engine.Check(ctx, *given.URL); err != nil {
			return api.Answer{}, err
		}
	}
	var shown record
	return api.ChangeOrganization(ctx, s.Kernel, c, endpoint.Change{ID: webhook.ID, Patch: c.Body}, webhook.ID,
		func(changed *endpoint.Webhook) api.Result {
			if shown, err = s.described(ctx, c, changed); err != nil {
				shown = withRights(c, changed) // the change is stored
			}
			return api.Result{Record: shown, Version: changed.Version}
		})
}

func (s *handlers) remove(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	reply, err := s.Decide(ctx, c, endpoint.Delete{ID: webhook.ID}, webhook.ID)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}
