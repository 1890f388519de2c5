package assistant

import (
	"encoding/json"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

type (
	// tool is the JSON form of a tool.
	tool struct {
		Name        string             `json:"name"`
		Title       string             `json:"title"`
		Description string             `json:"description"`
		Class       messages.ToolClass `json:"class"`
		Confirm     string             `json:"confirm,omitempty"`
		Permission  string             `json:"permission"`
		InputSchema json.RawMessage    `json:"inputSchema"`
	}
	// step is the JSON form of a step.
	step struct {
		StepID              captable.ID[stepKind]      `json:"stepId"`
		Operation           string                     `json:"operation"`
		Class               messages.ToolClass         `json:"class"`
		Title               string                     `json:"title"`
		Parameters          map[string]json.RawMessage `json:"parameters"`
		Body                json.RawMessage            `json:"body,omitempty"`
		Preview             json.RawMessage            `json:"preview"`
		ExpiresAt           captable.Instant           `json:"expiresAt"`
		ConfirmationsNeeded int                        `json:"confirmationsNeeded"`
		PersonRequired      bool                       `json:"personRequired,omitempty"`
		Organization        organization.ID            `json:"organization,omitzero"`
		Token               messages.APITokenID        `json:"token,omitzero"`
	}
	// answer is the JSON form of an answer.
	answer struct {
		Response             string                        `json:"response"`
		ConversationID       captable.ID[conversationKind] `json:"conversationId"`
		ToolCalls            []messages.FinishedCall       `json:"toolCalls"`
		PendingConfirmations []step                        `json:"pendingConfirmations"`
	}
)

func showTool(t messages.Tool) tool {
	confirm := ""
	if t.ConfirmAlways {
		confirm = "always"
	}
	return tool{t.Name, t.Title, t.Description, t.Class, confirm, t.Permission, t.InputSchema}
}

// showStep returns the JSON form of a step, with the parameters and the body apart.
func (s base) showStep(found messages.Step) step {
	parameters := map[string]json.RawMessage{}
	_ = json.Unmarshal(found.Arguments, &parameters) // the dry run accepted them
	body := parameters["body"]
	delete(parameters, "body")
	token, _ := messages.TokenOfHandle(found.Credential)
	return step{
		PersonRequired: s.Kernel.Operation(found.Operation).ConfirmsAlways(), Organization: found.Organization, Token: token,
		StepID: found.ID, Operation: found.Operation, Class: found.Class, Title: found.Title, Parameters: parameters, Body: body,
		Preview: found.Preview, ExpiresAt: captable.InstantOf(found.ExpiresAt), ConfirmationsNeeded: s.Changes.Remaining(found),
	}
}

func (s base) showSteps(found []messages.Step) []step {
	shown := make([]step, 0, len(found))
	for _, one := range found {
		shown = append(shown, s.showStep(one))
	}
	return shown
}

func (s base) showReply(reply messages.ExchangeReply) answer {
	return answer{reply.Text, reply.Conversation, reply.ToolCalls, s.showSteps(reply.Steps)}
}
