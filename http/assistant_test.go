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
	"equity/http/apitest"
	httpassistant "equity/http/assistant"
)

func TestAssistantAnswersWithToolsOfTheCaller(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	got := askAssistant(t, f, "list members")
	if calls := got.List(t, "toolCalls"); len(calls) != 1 || apitest.Field(calls[0], "operation") != "listMembers" || apitest.Field(calls[0], "status") != "succeeded" {
		t.Errorf("calls: %v", calls)
	}
	if text := got.Text(t, "response"); !strings.Contains(text, "Ada Lovelace: Owner, joined") {
		t.Errorf("response: %s", text)
	}
}

func TestProposedChangeIsRecordedOnceAfterItsConfirmation(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	before := f.JournalLength(t)
	step := proposeStep(t, f, "add a member Grace Hopper grace@example.com")
	if f.JournalLength(t) != before {
		t.Fatal("a proposal changed the journal")
	}
	answers := make([]apitest.Answer, 8)
	var all sync.WaitGroup
	for i := range answers {
		c := f.Copy()
		all.Go(func() { answers[i] = confirmStep(t, c, step, "true") })
	}
	all.Wait()
	for _, got := range answers {
		if got.Status != http.StatusOK || got.Text(t, "status") != "executed" || got.Text(t, "result", "body", "fullName") != "Grace Hopper" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	if f.JournalLength(t) != before+1 {
		t.Errorf("the journal has %d new events", f.JournalLength(t)-before)
	}
	if got := confirmStep(t, f.Client, step, "false"); got.Status != http.StatusConflict || got.Text(t, "code") != "alreadyDecided" {
		t.Errorf("rejected after the execution: %d %s", got.Status, got.Body)
	}
}

func TestRejectedStepRecordsNothing(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	before := f.JournalLength(t)
	step := proposeStep(t, f, "add a member Grace Hopper grace@example.com")
	for range 2 {
		if got := confirmStep(t, f.Client, step, "false"); got.Status != http.StatusOK || got.Text(t, "status") != "rejected" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	if got := confirmStep(t, f.Client, step, "true"); got.Status != http.StatusConflict {
		t.Errorf("confirmed after the rejection: %d %s", got.Status, got.Body)
	}
	if f.JournalLength(t) != before {
		t.Error("a rejected step changed the journal")
	}
}

func TestStepOfAnotherCallerCannotBeConfirmed(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "ada@example.com")
	step := proposeStep(t, f, "add a member Grace Hopper grace@example.com")
	if got := confirmStep(t, b.NewPerson(t, "eve@example.com"), step, "true"); got.Status != http.StatusNotFound {
		t.Errorf("another user: %d %s", got.Status, got.Body)
	}
	again := &apitest.Client{Server: b, User: f.User}
	again.Must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`, http.StatusOK)
	if got := confirmStep(t, again, step, "true"); got.Status != http.StatusForbidden || got.Text(t, "code") != "otherSession" {
		t.Errorf("another session: %d %s", got.Status, got.Body)
	}
	b.Clock.Advance(15 * time.Minute)
	if got := confirmStep(t, f.Client, step, "true"); got.Status != http.StatusConflict || got.Text(t, "code") != "expired" {
		t.Errorf("after 15 minutes: %d %s", got.Status, got.Body)
	}
}

func TestStepWithOtherEventsThanItsPreviewIsSuperseded(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	grace := f.NewHolder(t, "Grace Hopper")
	step := proposeStep(t, f, "issue 20 of Common Stock to Grace Hopper on 2026-03-01")
	f.Issue(t, grace, "5") // with the serial number of the preview
	before := f.JournalLength(t)
	got := confirmStep(t, f.Client, step, "true")
	if got.Status != http.StatusOK || got.Text(t, "status") != "superseded" || f.JournalLength(t) != before {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	next := got.Text(t, "next", "stepId")
	if got := confirmStep(t, f.Client, next, "true"); got.Text(t, "status") != "executed" || got.Text(t, "result", "body", "shares") != "20" {
		t.Errorf("the new preview: %d %s", got.Status, got.Body)
	}
}

func TestToolCallsBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	for i := range 30 {
		if calls := askAssistant(t, f, "list securities").List(t, "toolCalls"); apitest.Field(calls[0], "status") != "succeeded" {
			t.Fatalf("call %d: %v", i+1, calls)
		}
	}
	if calls := askAssistant(t, f, "list securities").List(t, "toolCalls"); apitest.Field(calls[0], "status") != "refused" {
		t.Errorf("call 31: %v", calls)
	}
	f.Clock.Advance(time.Minute)
	if calls := askAssistant(t, f, "list securities").List(t, "toolCalls"); apitest.Field(calls[0], "status") != "succeeded" {
		t.Errorf("a minute later: %v", calls)
	}
}

func TestWritingToolCallsBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	for i := range 10 {
		n := strconv.Itoa(i)
		proposeStep(t, f, "add a member Person "+n+" person"+n+"@example.com")
	}
	got := askAssistant(t, f, "add a member Person X person.x@example.com")
	if len(got.List(t, "pendingConfirmations")) != 0 || !strings.Contains(got.Text(t, "response"), "at most 10 writing tool calls") {
		t.Errorf("%s", got.Body)
	}
}

func TestAnswersAreStreamed(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	got := f.Send(t, "POST", "/v1/agent/chat", `{"organization":"`+f.ID+`","message":"list members"}`, "Accept", "text/event-stream")
	for _, part := range []string{
		"event: toolCall\ndata: {", "event: delta\ndata: {\"text\":\"1 member", "event: done\ndata: {\"response\":\"1 member",
	} {
		if !strings.Contains(got.Body, part) {
			t.Errorf("the stream lacks %q: %s", part, got.Body)
		}
	}
	missing := f.Send(t, "POST", "/v1/agent/chat", `{"organization":"`+f.ID+`","message":"hi","conversationId":"`+f.ID+`"}`, "Accept", "text/event-stream")
	if missing.Status != http.StatusNotFound {
		t.Errorf("an unknown conversation: %d %s", missing.Status, missing.Body)
	}
}

func TestConversationsBelongToTheirUser(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "ada@example.com")
	talk := askAssistant(t, f, "help").Text(t, "conversationId")
	f.Must(t, "POST", "/v1/agent/chat", `{"organization":"`+f.ID+`","message":"list members","conversationId":"`+talk+`"}`, http.StatusOK)
	if said := f.Must(t, "GET", f.Home+"/agent/conversation/"+talk, "", http.StatusOK).List(t, "messages"); len(said) != 4 {
		t.Errorf("%d messages", len(said))
	}
	colleague := b.NewPerson(t, "bob@example.com")
	f.Must(t, "POST", f.Home+"/member", `{"fullName":"Bob","email":"bob@example.com","roles":["Owner"]}`, http.StatusCreated)
	colleague.Must(t, "POST", "/v1/user/login", `{"email":"bob@example.com","password":"`+apitest.Password+`"}`, http.StatusOK)
	if got := colleague.Send(t, "GET", f.Home+"/agent/conversation/"+talk, ""); got.Status != http.StatusNotFound {
		t.Errorf("a colleague reads: %d %s", got.Status, got.Body)
	}
	if got := colleague.Send(t, "POST", "/v1/agent/chat", `{"organization":"`+f.ID+`","message":"help","conversationId":"`+talk+`"}`); got.Status != http.StatusNotFound {
		t.Errorf("a colleague continues: %d %s", got.Status, got.Body)
	}
}

func TestAssistantCanBeOff(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t, func(s *equityhttp.Settings, services *equityhttp.Services) {
		s.Features[api.FeatureAgent], services.Assistant = false, httpassistant.Services{}
	}).NewFirm(t, "ada@example.com")
	if got := f.Must(t, "GET", "/v1/agent/status", "", http.StatusOK); got.Body != `{"enabled":false,"version":"1.0"}` {
		t.Errorf("%s", got.Body)
	}
	if got := f.Send(t, "GET", f.Home+"/agent/tools", ""); got.Status != http.StatusNotFound {
		t.Errorf("tools: %d", got.Status)
	}
}

func TestLimitIsSharedByConversationsAndMCP(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "ada@example.com")
	session := connectMCP(t, b, newProgram(t, f.Client, `"read","write"`, `"organization":"`+f.ID+`"`).token)
	for i := range 10 { // each message begins a conversation
		n := strconv.Itoa(i)
		if i%2 == 0 {
			proposeStep(t, f, "add a member Person "+n+" person"+n+"@example.com")
			continue
		}
		calls(t, session, "addMember", map[string]any{"body": map[string]any{"fullName": "Person " + n}}, false)
	}
	got := calls(t, session, "addMember", map[string]any{"body": map[string]any{"fullName": "Person X"}}, true)
	if got.Text(t, "code") != "rateLimited" || got.Text(t, "details", "limit") != "10" {
		t.Errorf("%s", got.Body)
	}
	if calls := askAssistant(
		t, f, "add a member Person X person.x@example.com",
	).List(t, "toolCalls"); apitest.Field(calls[0], "status") != "refused" {
		t.Errorf("another conversation: %v", calls)
	}
}
