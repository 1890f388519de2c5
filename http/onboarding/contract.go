package onboarding

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"equity/http/api"
	"equity/messages"
	"equity/onboarding"
	"equity/organization"
)

// contract carries out the operations of the contract for builds.
type contract struct {
	*api.Kernel
	newID func() [16]byte
	now   func() time.Time
}

// As returns the operations of a user in an organization, or outside organizations for the zero ID. It returns an error if the account is disabled or erased.
func (s contract) As(ctx context.Context, user organization.UserID, in organization.ID) (onboarding.Operations, error) {
	caller := api.Caller{User: user}
	account, err := s.Account(ctx, &api.Call{Caller: caller})
	if err != nil {
		return nil, err
	}
	if !account.DisabledAt.IsZero() {
		return nil, api.Unauthorized()
	}
	id := uuid.UUID(s.newID()).String()
	return acting{
		api.NewToolbox(s.Kernel, api.ToolCaller{Caller: caller, Organization: in, Origin: messages.OriginOnboarding}, id), s.Kernel, caller,
		in, id, s.now,
	}, nil
}

// acting are the operations of a user.
type acting struct {
	*api.Toolbox
	kernel *api.Kernel
	caller api.Caller
	in     organization.ID
	id     string
	now    func() time.Time
}

// Import imports a package into the organization.
func (a acting) Import(ctx context.Context, file messages.OnboardingFile, key string) messages.ToolResult {
	answer, err := a.kernel.Run(messages.WithOrigin(ctx, messages.OriginOnboarding), &api.Request{
		Operation: "importPackage", Caller: a.caller, ID: a.id, At: a.now(), Path: map[string]string{"organization": a.in.String()},
		Within: a.in,
		Header: func(name string) string {
			switch {
			case strings.EqualFold(name, "Content-Type"):
				return api.MediaZip
			case strings.EqualFold(name, "Idempotency-Key"):
				return key
			}
			return ""
		},
		Body: bytes.NewReader(file.Content), Length: int64(len(file.Content)),
	})
	defer answer.Done()
	if err != nil {
		status, body, _ := a.kernel.Explain(err, a.id)
		text, _ := api.RenderJSON(body)
		return messages.ToolResult{Status: status, Body: text}
	}
	text, err := json.Marshal(answer.Record)
	if err != nil {
		text = []byte("{}")
	}
	return messages.ToolResult{Status: max(answer.Status, 200), Body: text}
}
