package hooks

import (
	"errors"
	"math"
	"slices"
	"strings"

	"equity/messages"
)

// The words of the interface.
const (
	actionWake  = "wake"
	actionAgent = "agent"
	modeNow     = messages.HookNow
	modeNext    = messages.HookNextHeartbeat
	channelLast = "last"
	defaultName = "Hook"
)

// The refusals of bodies. Their texts are part of the interface.
var (
	errText    = errors.New("text required")
	errMessage = errors.New("message required")
	errModel   = errors.New("model required")
	errChannel = errors.New("channel must be " + channelLast + "|telegram|whatsapp|discord|slack|signal|imessage|mattermost|msteams")
)

// field returns the field of a body. A body that is not an object has no fields.
func field(body any, name string) any {
	if o, ok := body.(*object); ok {
		return o.get(name)
	}
	return absent{}
}

// text returns the trimmed text of a field; empty for any other type.
func text(body any, name string) string {
	value, _ := field(body, name).(string)
	return trim(value)
}

// mode returns the mode of a field. Unknown values are now.
func mode(value any) string {
	if value == modeNext {
		return modeNext
	}
	return modeNow
}

// wakeOf translates the body of the hook wake.
func wakeOf(body any) (messages.HookWake, error) {
	wake := messages.HookWake{Text: text(body, "text"), Mode: mode(field(body, "mode"))}
	if wake.Text == "" {
		return wake, errText
	}
	return wake, nil
}

// agentOf translates the body of the hook agent. Its session key is empty if the body has none.
func agentOf(body any) (messages.HookAgent, error) {
	agent := messages.HookAgent{
		Message: text(body, "message"), Name: text(body, "name"), Agent: text(body, "agentId"), WakeMode: mode(field(body, "wakeMode")),
		SessionKey: text(body, "sessionKey"), Deliver: field(body, "deliver") != false, To: text(body, "to"), Model: text(body, "model"),
		Thinking: text(body, "thinking"), TimeoutSeconds: seconds(field(body, "timeoutSeconds")),
	}
	if agent.Message == "" {
		return agent, errMessage
	}
	if agent.Name == "" {
		agent.Name = defaultName
	}
	var err error
	if agent.Channel, err = channelOf(field(body, "channel")); err != nil {
		return agent, err
	}
	if _, missing := field(body, "model").(absent); !missing && agent.Model == "" {
		return agent, errModel
	}
	return agent, nil
}

// mostSeconds bounds the time of a run, so that it fits in a duration.
const mostSeconds = 1 << 31

// seconds returns a positive number without its fraction, or nil.
func seconds(value any) *int64 {
	n, ok := value.(float64)
	if !ok || !(n > 0) || math.IsInf(n, 0) {
		return nil
	}
	whole := int64(min(math.Floor(n), mostSeconds))
	return &whole
}

// channelOf returns the name of a channel. Absent is the last one.
func channelOf(value any) (string, error) {
	if _, missing := value.(absent); missing {
		return channelLast, nil
	}
	name, _ := value.(string)
	name = strings.ToLower(trim(name))
	switch name {
	case "imsg":
		name = "imessage"
	case "teams":
		name = "msteams"
	}
	known := strings.Split(strings.TrimPrefix(errChannel.Error(), "channel must be "), "|")
	if !slices.Contains(known, name) {
		return "", errChannel
	}
	return name, nil
}
