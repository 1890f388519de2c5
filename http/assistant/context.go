package assistant

import (
	"context"
	"encoding/json"
	"fmt"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// situation is the data that a message comes with.
type situation struct {
	Organization struct {
		ID       organization.ID `json:"id"`
		Name     string          `json:"name"`
		Currency string          `json:"currency,omitempty"`
	} `json:"organization"`
	User struct {
		Roles       []string `json:"roles"`
		Permissions []string `json:"permissions"`
	} `json:"user"`
	Counts       json.RawMessage        `json:"counts"`
	Totals       json.RawMessage        `json:"totals,omitempty"`
	Attention    json.RawMessage        `json:"attention"`
	Capabilities []capability           `json:"capabilities"`
	Limits       messages.ToolAllowance `json:"limits"`
	Version      uint64                 `json:"version"`
}

// capability is a group of tools.
type capability struct {
	Name  string `json:"name"`
	Tools int    `json:"tools"`
}

// context returns the context of the assistant.
func (s base) context(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.situationOf(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Digested(c, c.View.Sequence, found)
}

// situation returns the context as text for the model.
func (s base) situation(ctx context.Context, c *api.Call) (string, error) {
	found, err := s.situationOf(ctx, c)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(struct {
		situation
		Today captable.Date `json:"today"`
	}{found, c.AsOf()})
	return string(text), err
}

// situationOf reads the context. The figures are those of the dashboard that the caller may see.
func (s base) situationOf(ctx context.Context, c *api.Call) (situation, error) {
	found := situation{
		Version: c.View.Sequence, Counts: json.RawMessage("{}"), Attention: json.RawMessage("[]"), Capabilities: []capability{},
	}
	profile := c.View.State.Profile()
	found.Organization.ID, found.Organization.Name, found.Organization.Currency = c.Organization, profile.Name, profile.Currency
	found.User.Roles, found.User.Permissions = append([]string{}, c.Member.Roles...), c.Permissions.Names()
	var err error
	if found.Limits, err = s.Limits.ToolAllowance(ctx, c.Organization, c.At); err != nil {
		return found, err
	}
	box := api.NewToolbox(s.Kernel, api.ToolCaller{Caller: c.Caller, Organization: c.Organization}, c.ID)
	tools, err := box.Tools(ctx)
	if err != nil {
		return found, err
	}
	groups := map[string]int{}
	for _, one := range tools {
		for _, tag := range one.Tags {
			if _, known := groups[tag]; !known {
				groups[tag] = len(found.Capabilities)
				found.Capabilities = append(found.Capabilities, capability{Name: tag})
			}
			found.Capabilities[groups[tag]].Tools++
		}
	}
	summary := box.Call(ctx, messages.ToolCall{Operation: "getDashboard", Mode: messages.ToolReads})
	if !summary.Succeeded() { // the dashboard is not permitted for some roles
		return found, nil
	}
	return found, found.addDashboard(summary.Body)
}

// addDashboard adds the figures of a dashboard.
func (f *situation) addDashboard(body []byte) error {
	var board struct {
		Counts  json.RawMessage `json:"counts"`
		Totals  json.RawMessage `json:"totals"`
		Waiting json.RawMessage `json:"waiting"`
	}
	if err := json.Unmarshal(body, &board); err != nil {
		return fmt.Errorf("read dashboard: %w", err)
	}
	f.Counts, f.Totals, f.Attention = board.Counts, board.Totals, board.Waiting
	return nil
}
