package http_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/api"
	httpassistant "equity/http/assistant"
)

func TestAssistantAnswersWithToolsOfTheCaller(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	got := f.asks(t, "list members")
	if calls := got.list(t, "toolCalls"); len(calls) != 1 || field(calls[0], "operation") != "listMembers" || field(calls[0], "status") != "succeeded" {
		t.Errorf("calls: %v", calls)
	}
	if text := got.text(t, "response"); !strings.Contains(text, "Ada Lovelace: Owner, joined") {
		t.Errorf("response: %s", text)
	}
}

func TestProposedChangeIsRecordedOnceAfterItsConfirmation(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	before := f.journalLength(t)
	step := f.proposes(t, "add a member Grace Hopper grace@example.com")
	if f.journalLength(t) != before {
		t.Fatal("a proposal changed the journal")
	}
	answers := make([]answer, 8)
	var all sync.WaitGroup
	for i := range answers {
		c := f.copy()
		all.Go(func() { answers[i] = c.confirms(t, step, "true") })
	}
	all.Wait()
	for _, got := range answers {
		if got.status != http.StatusOK || got.text(t, "status") != "executed" || got.text(t, "result", "body", "fullName") != "Grace Hopper" {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	if f.journalLength(t) != before+1 {
		t.Errorf("the journal has %d new events", f.journalLength(t)-before)
	}
	if got := f.confirms(t, step, "false"); got.status != http.StatusConflict || got.text(t, "code") != "alreadyDecided" {
		t.Errorf("rejected after the execution: %d %s", got.status, got.body)
	}
}

func TestRejectedStepRecordsNothing(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	before := f.journalLength(t)
	step := f.proposes(t, "add a member Grace Hopper grace@example.com")
	for range 2 {
		if got := f.confirms(t, step, "false"); got.status != http.StatusOK || got.text(t, "status") != "rejected" {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	if got := f.confirms(t, step, "true"); got.status != http.StatusConflict {
		t.Errorf("confirmed after the rejection: %d %s", got.status, got.body)
	}
	if f.journalLength(t) != before {
		t.Error("a rejected step changed the journal")
	}
}

func TestStepOfAnotherCallerCannotBeConfirmed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "ada@example.com")
	step := f.proposes(t, "add a member Grace Hopper grace@example.com")
	if got := b.person(t, "eve@example.com").confirms(t, step, "true"); got.status != http.StatusNotFound {
		t.Errorf("another user: %d %s", got.status, got.body)
	}
	again := &client{bundle: b, user: f.user}
	again.must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`, http.StatusOK)
	if got := again.confirms(t, step, "true"); got.status != http.StatusForbidden || got.text(t, "code") != "otherSession" {
		t.Errorf("another session: %d %s", got.status, got.body)
	}
	b.clock.advance(15 * time.Minute)
	if got := f.confirms(t, step, "true"); got.status != http.StatusConflict || got.text(t, "code") != "expired" {
		t.Errorf("after 15 minutes: %d %s", got.status, got.body)
	}
}

func TestStepWithOtherEventsThanItsPreviewIsSuperseded(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	grace := f.holder(t, "Grace Hopper")
	step := f.proposes(t, "issue 20 of Common Stock to Grace Hopper on 2026-03-01")
	f.issue(t, grace, "5") // with the serial number of the preview
	before := f.journalLength(t)
	got := f.confirms(t, step, "true")
	if got.status != http.StatusOK || got.text(t, "status") != "superseded" || f.journalLength(t) != before {
		t.Fatalf("%d %s", got.status, got.body)
	}
	next := got.text(t, "next", "stepId")
	if got := f.confirms(t, next, "true"); got.text(t, "status") != "executed" || got.text(t, "result", "body", "shares") != "20" {
		t.Errorf("the new preview: %d %s", got.status, got.body)
	}
}

func TestToolCallsBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	for i := range 30 {
		if calls := f.asks(t, "list securities").list(t, "toolCalls"); field(calls[0], "status") != "succeeded" {
			t.Fatalf("call %d: %v", i+1, calls)
		}
	}
	if calls := f.asks(t, "list securities").list(t, "toolCalls"); field(calls[0], "status") != "refused" {
		t.Errorf("call 31: %v", calls)
	}
	f.clock.advance(time.Minute)
	if calls := f.asks(t, "list securities").list(t, "toolCalls"); field(calls[0], "status") != "succeeded" {
		t.Errorf("a minute later: %v", calls)
	}
}

func TestWritingToolCallsBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	for i := range 10 {
		n := strconv.Itoa(i)
		f.proposes(t, "add a member Person "+n+" person"+n+"@example.com")
	}
	got := f.asks(t, "add a member Person X person.x@example.com")
	if len(got.list(t, "pendingConfirmations")) != 0 || !strings.Contains(got.text(t, "response"), "at most 10 writing tool calls") {
		t.Errorf("%s", got.body)
	}
}

func TestAnswersAreStreamed(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	got := f.send(t, "POST", "/v1/agent/chat", `{"organization":"`+f.id+`","message":"list members"}`, "Accept", "text/event-stream")
	for _, part := range []string{
		"event: toolCall\ndata: {", "event: delta\ndata: {\"text\":\"1 member", "event: done\ndata: {\"response\":\"1 member",
	} {
		if !strings.Contains(got.body, part) {
			t.Errorf("the stream lacks %q: %s", part, got.body)
		}
	}
	missing := f.send(t, "POST", "/v1/agent/chat", `{"organization":"`+f.id+`","message":"hi","conversationId":"`+f.id+`"}`, "Accept", "text/event-stream")
	if missing.status != http.StatusNotFound {
		t.Errorf("an unknown conversation: %d %s", missing.status, missing.body)
	}
}

func TestConversationsBelongToTheirUser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "ada@example.com")
	talk := f.asks(t, "help").text(t, "conversationId")
	f.must(t, "POST", "/v1/agent/chat", `{"organization":"`+f.id+`","message":"list members","conversationId":"`+talk+`"}`, http.StatusOK)
	if said := f.must(t, "GET", f.home+"/agent/conversation/"+talk, "", http.StatusOK).list(t, "messages"); len(said) != 4 {
		t.Errorf("%d messages", len(said))
	}
	colleague := b.person(t, "bob@example.com")
	f.must(t, "POST", f.home+"/member", `{"fullName":"Bob","email":"bob@example.com","roles":["Owner"]}`, http.StatusCreated)
	colleague.must(t, "POST", "/v1/user/login", `{"email":"bob@example.com","password":"`+password+`"}`, http.StatusOK)
	if got := colleague.send(t, "GET", f.home+"/agent/conversation/"+talk, ""); got.status != http.StatusNotFound {
		t.Errorf("a colleague reads: %d %s", got.status, got.body)
	}
	if got := colleague.send(t, "POST", "/v1/agent/chat", `{"organization":"`+f.id+`","message":"help","conversationId":"`+talk+`"}`); got.status != http.StatusNotFound {
		t.Errorf("a colleague continues: %d %s", got.status, got.body)
	}
}

func TestAssistantCanBeOff(t *testing.T) {
	t.Parallel()
	f := setup(t, func(s *equityhttp.Settings, services *equityhttp.Services) {
		s.Features[api.FeatureAgent], services.Assistant = false, httpassistant.Services{}
	}).firm(t, "ada@example.com")
	if got := f.must(t, "GET", "/v1/agent/status", "", http.StatusOK); got.body != `{"enabled":false,"version":"1.0"}` {
		t.Errorf("%s", got.body)
	}
	if got := f.send(t, "GET", f.home+"/agent/tools", ""); got.status != http.StatusNotFound {
		t.Errorf("tools: %d", got.status)
	}
}

func TestLimitIsSharedByConversationsAndMCP(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "ada@example.com")
	session := b.connect(t, f.program(t, `"read","write"`, `"organization":"`+f.id+`"`).token)
	for i := range 10 { // each message begins a conversation
		n := strconv.Itoa(i)
		if i%2 == 0 {
			f.proposes(t, "add a member Person "+n+" person"+n+"@example.com")
			continue
		}
		calls(t, session, "addMember", map[string]any{"body": map[string]any{"fullName": "Person " + n}}, false)
	}
	got := calls(t, session, "addMember", map[string]any{"body": map[string]any{"fullName": "Person X"}}, true)
	if got.text(t, "code") != "rateLimited" || got.text(t, "details", "limit") != "10" {
		t.Errorf("%s", got.body)
	}
	if calls := f.asks(t, "add a member Person X person.x@example.com").list(t, "toolCalls"); field(calls[0], "status") != "refused" {
		t.Errorf("another conversation: %v", calls)
	}
}
