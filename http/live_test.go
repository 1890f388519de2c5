package http_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/http/live"
	"equity/messages"
)

func TestLiveEventHasTheDocumentedForm(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		stream := f.follow(t, b.listening(t), f.home, "")
		id := f.legend(t, `{"name":"Act","text":"Not registered."}`)
		got := stream.event(t)
		content := got.content(t)
		if got.id != content.Sequence || got.name != "legendCreated" || got.hasOther || int(got.id) != f.journalLength(t) {
			t.Errorf("%+v", got)
		}
		if content.By != f.user.ID.String() || content.Origin != "request" || !content.RecordedAt.Equal(b.clock.Now()) || fmt.Sprint(content.Records) != "[{legend "+id+"}]" {
			t.Errorf("%+v", content)
		}
		if strings.Contains(got.text, "Not registered") {
			t.Error("the event has contents")
		}
	})
}

func TestNoEventIsMissedBetweenAReadAndItsStream(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	organization := f.must(t, "GET", f.home, "", http.StatusOK)
	id := f.legend(t, `{"name":"Act","text":"Not registered."}`)
	stream := f.follow(t, b.listening(t), f.home, fmt.Sprint("?since=", organization.get(t, "sequence")))
	got := stream.event(t)
	if content := got.content(t); fmt.Sprint(content.Records) != "[{legend "+id+"}]" {
		t.Errorf("%+v", got)
	}
}

func TestLiveEventsHaveOnlyVisibleRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	guest, clerk := b.person(t, "guest@example.com"), b.person(t, "clerk@example.com")
	f.join(t, f.home, guest, "Guest")
	f.must(t, "POST", f.home+"/role", `{"name":"Clerk","permissions":["viewMembers"]}`, http.StatusCreated)
	f.join(t, f.home, clerk, "Clerk")
	since := "?since=" + strconv.Itoa(f.journalLength(t))
	f.legend(t, `{"name":"Act","text":"Not registered."}`)
	f.issue(t, f.holder(t, "Charles"), "10")
	own := last(f.issue(t, guest.holder, "10"))
	f.must(t, "PATCH", f.home, `{"website":"https://example.com"}`, http.StatusOK)
	end := f.journalLength(t)
	address := b.listening(t)
	for _, of := range []struct {
		claim  string
		caller *client
		names  string
		by     bool
	}{
		{"the owner", f.client, "legendCreated memberAdded " + strings.Repeat("shareholdingIssued ", 2) + "organizationChanged", true},
		{"a guest with a holding", guest, "shareholdingIssued organizationChanged", false},
		{"a member with viewMembers", clerk, "memberAdded organizationChanged", false},
	} {
		stream := of.caller.follow(t, address, f.home, since)
		var names []string
		ids := 0
		for {
			e, ok := stream.block()
			if !ok {
				t.Fatalf("%s: the stream ended", of.claim)
			}
			if e.hasID {
				ids++
			}
			if e.text == "" {
				if int(e.id) == end {
					break
				}
				continue
			}
			names = append(names, e.name)
			content := e.content(t)
			if of.by != (content.By != "") {
				t.Errorf("%s: by in %s", of.claim, e.text)
			}
			if of.caller == guest && e.name == "shareholdingIssued" && content.Records[0].ID != own {
				t.Errorf("%s sees %s", of.claim, e.text)
			}
			if int(e.id) == end {
				break
			}
		}
		if strings.Join(names, " ") != of.names || ids != 6 { // five events and the position at the beginning
			t.Errorf("%s: %d ids, %v", of.claim, ids, names)
		}
	}
}

// change changes the organization so many times, with several callers.
func (f *firm) changeOften(tb testing.TB, times int) {
	tb.Helper()
	var group sync.WaitGroup
	const callers = 8
	for caller := range callers {
		group.Go(func() {
			for i := range times / callers {
				body := fmt.Sprintf(`{"website":"https://%d-%d.example.com"}`, caller, i)
				r := httptest.NewRequestWithContext(tb.Context(), http.MethodPatch, f.home, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Cookie", f.cookie)
				w := httptest.NewRecorder()
				if f.server.ServeHTTP(w, r); w.Code != http.StatusOK {
					tb.Errorf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
	group.Wait()
}

func TestCutStreamContinuesWithoutGapOrRepetition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	address, first := b.listening(t), f.journalLength(t)
	const events, cuts = 10_000, 50
	written := make(chan struct{})
	go func() {
		defer close(written)
		f.changeOften(t, events)
	}()
	last, received := first, 0
	stream := f.follow(t, address, f.home, "?since="+strconv.Itoa(first))
	for received < events {
		e := stream.event(t)
		if last++; int(e.id) != last {
			t.Fatalf("event %d follows %d", e.id, last-1)
		}
		if received++; received%(events/cuts) == 0 {
			stream.close()
			stream = f.follow(t, address, f.home, "?since=1", "Last-Event-ID", strconv.Itoa(last))
		}
	}
	<-written
}

func TestStreamBeginsOnlyAtKnownEvents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	beyond := strconv.Itoa(f.journalLength(t) + 1)
	for _, of := range []struct {
		query   string
		headers []string
		fault   string
	}{
		{"?since=" + beyond, nil, "/query/since maximum"},
		{"?since=-1", nil, "/query/since pattern"},
		{"?since=1&from=2", nil, "/query/from unknownField"},
		{"", []string{"Last-Event-ID", beyond}, "/header/Last-Event-ID maximum"},
		{"?since=1", []string{"Last-Event-ID", "x"}, "/header/Last-Event-ID pattern"},
	} {
		got := f.must(t, "GET", f.home+"/event"+of.query, "", http.StatusBadRequest, of.headers...)
		if got.fieldErrors(t) != of.fault {
			t.Errorf("%s %v: %s", of.query, of.headers, got.body)
		}
	}
}

func TestStreamsAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t, liveSettings(live.Settings{PerUser: 2, Total: 3}))
	f := b.firm(t, "owner@example.com")
	guest := b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	address := b.listening(t)
	refused := func(c *client) bool {
		response := c.connect(t, address, f.home, "").response
		return response.StatusCode == http.StatusTooManyRequests && response.Header.Get("Retry-After") != ""
	}
	opened := f.follow(t, address, f.home, "")
	f.follow(t, address, f.home, "")
	if !refused(f.client) {
		t.Error("the limit of a user has no effect")
	}
	guest.follow(t, address, f.home, "")
	if !refused(guest) {
		t.Error("the limit of the server has no effect")
	}
	opened.close()
	b.eventually(t, "a closed stream is not counted", func() bool { return b.live.Open() == 2 })
	f.follow(t, address, f.home, "")
}

func TestIdleStreamReceivesPings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	stream := f.follow(t, b.listening(t), f.home, "")
	for pings := 0; pings < 2; {
		e, ok := stream.block()
		if !ok {
			t.Fatal("the stream ended")
		}
		if e.comment == "ping" {
			pings++
		}
	}
}

func TestSlowReaderIsCutAndContinues(t *testing.T) {
	t.Parallel()
	b := setup(t, liveSettings(live.Settings{Unsent: 1, Ping: time.Hour}))
	f := b.firm(t, "owner@example.com")
	address, first := b.listening(t), f.journalLength(t)
	stream := f.follow(t, address, f.home, "")
	if e, ok := stream.block(); !ok || !e.hasID {
		t.Fatalf("%+v", e)
	}
	b.eventually(t, "the stream follows published events", func() bool { // before that, it reads the journal
		f.legend(t, `{"name":"`+strings.Repeat("x", 1+f.journalLength(t))+`","text":"Not registered."}`)
		return b.live.Open() == 0
	})
	again := f.follow(t, address, f.home, "", "Last-Event-ID", strconv.Itoa(first))
	for sequence := first + 1; sequence <= f.journalLength(t); sequence++ {
		if e := again.event(t); int(e.id) != sequence {
			t.Fatalf("%d in place of %d", e.id, sequence)
		}
	}
}

func TestReaderThatTakesNothingIsCut(t *testing.T) {
	t.Parallel()
	b := setup(t, liveSettings(live.Settings{Write: 50 * time.Millisecond}))
	f := b.firm(t, "owner@example.com")
	f.changeOften(t, 4000)
	address, _ := b.serveOnSocket(t)
	ask(t, address, f.home+"/event?since=1", f.cookie)
	b.eventually(t, "the stream begins", func() bool { return b.live.Open() == 1 })
	b.eventually(t, "the stream ends", func() bool { return b.live.Open() == 0 })
}

func TestStreamEndsWithTheMembership(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	guest := b.person(t, "guest@example.com")
	member := f.join(t, f.home, guest, "Guest")
	stream := guest.follow(t, b.listening(t), f.home, "")
	f.must(t, "DELETE", f.home+"/member/"+member, "", http.StatusOK)
	for _, e := range stream.ends() {
		if e.text != "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestStreamEndsWithTheSession(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		address := b.listening(t)
		ended := f.signIn(t, f.client, messages.SignIn{})
		kept, stream := f.follow(t, address, f.home, ""), ended.follow(t, address, f.home, "")
		ended.copy().must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
		stream.ends()
		if status := ended.connect(t, address, f.home, "").response.StatusCode; status != http.StatusUnauthorized {
			t.Errorf("again: %d", status)
		}
		f.legend(t, `{"name":"Act","text":"Not registered."}`)
		kept.event(t)
	})
}

func TestStreamDoesNotExtendItsSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	stream := f.follow(t, b.listening(t), f.home, "")
	const idle = 7 * 24 * time.Hour
	for range 4 {
		b.clock.advance(idle / 3)
		f.anonymous().send(t, "GET", "/v1/user/current", "")
	}
	stream.ends()
}

func TestStreamsEndAtShutdownWithATimeToReconnect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	address := b.listening(t)
	stream := f.follow(t, address, f.home, "")
	if err := b.live.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	rest := stream.ends()
	if len(rest) == 0 || rest[len(rest)-1].retry == "" {
		t.Errorf("%+v", rest)
	}
	if status := f.connect(t, address, f.home, "").response.StatusCode; status != http.StatusServiceUnavailable {
		t.Errorf("after the end: %d", status)
	}
}

func TestHeadOfAStreamHasNoBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, b.listening(t)+f.home+"/event", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", f.cookie)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _ = response.Body.Close(); response.StatusCode != http.StatusOK || b.live.Open() != 0 {
		t.Errorf("%s, %d streams", response.Status, b.live.Open())
	}
}

func TestResumedEventsEqualLiveEvents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	address, first := b.listening(t), f.journalLength(t)
	stream := f.follow(t, address, f.home, "")
	legend := f.home + "/legend/" + f.legend(t, `{"name":"Act","text":"Not registered."}`)
	f.must(t, "PATCH", legend, `{"default":true}`, http.StatusOK)
	f.must(t, "DELETE", legend, "", http.StatusNoContent)
	f.must(t, "DELETE", newRole(t, f), "", http.StatusNoContent)
	resumed := f.follow(t, address, f.home, "?since="+strconv.Itoa(first))
	for range f.journalLength(t) - first {
		if before, after := stream.event(t), resumed.event(t); before != after {
			t.Errorf("%+v, resumed %+v", before, after)
		}
	}
}
