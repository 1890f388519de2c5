package http_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
	"equity/http/live"
	"equity/messages"
)

func TestLiveEventHasTheDocumentedForm(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		stream := f.Follow(t, b.Listen(t), f.Home, "")
		id := f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
		got := stream.Event(t)
		content := got.Content(t)
		if got.ID != content.Sequence || got.Name != "legendCreated" || got.HasOther || int(got.ID) != f.JournalLength(t) {
			t.Errorf("%+v", got)
		}
		if content.By != f.User.ID.String() || content.Origin != "request" || !content.RecordedAt.Equal(b.Clock.Now()) || fmt.Sprint(content.Records) != "[{legend "+id+"}]" {
			t.Errorf("%+v", content)
		}
		if strings.Contains(got.Text, "Not registered") {
			t.Error("the event has contents")
		}
	})
}

func TestNoEventIsMissedBetweenAReadAndItsStream(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	organization := f.Must(t, "GET", f.Home, "", http.StatusOK)
	id := f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
	stream := f.Follow(t, b.Listen(t), f.Home, fmt.Sprint("?since=", organization.Get(t, "sequence")))
	got := stream.Event(t)
	if content := got.Content(t); fmt.Sprint(content.Records) != "[{legend "+id+"}]" {
		t.Errorf("%+v", got)
	}
}

func TestLiveEventsHaveOnlyVisibleRecords(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	guest, clerk := b.NewPerson(t, "guest@example.com"), b.NewPerson(t, "clerk@example.com")
	f.Join(t, f.Home, guest, "Guest")
	f.Must(t, "POST", f.Home+"/role", `{"name":"Clerk","permissions":["viewMembers"]}`, http.StatusCreated)
	f.Join(t, f.Home, clerk, "Clerk")
	since := "?since=" + strconv.Itoa(f.JournalLength(t))
	f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
	f.Issue(t, f.NewHolder(t, "Charles"), "10")
	own := apitest.IDOf(f.Issue(t, guest.Holder, "10"))
	f.Must(t, "PATCH", f.Home, `{"website":"https://example.com"}`, http.StatusOK)
	end := f.JournalLength(t)
	address := b.Listen(t)
	for _, of := range []struct {
		claim  string
		caller *apitest.Client
		names  string
		by     bool
	}{
		{"the owner", f.Client, "legendCreated memberAdded " + strings.Repeat("shareholdingIssued ", 2) + "organizationChanged", true},
		{"a guest with a holding", guest, "shareholdingIssued organizationChanged", false},
		{"a member with viewMembers", clerk, "memberAdded organizationChanged", false},
	} {
		stream := of.caller.Follow(t, address, f.Home, since)
		var names []string
		ids := 0
		for {
			e, ok := stream.Block()
			if !ok {
				t.Fatalf("%s: the stream ended", of.claim)
			}
			if e.HasID {
				ids++
			}
			if e.Text == "" {
				if int(e.ID) == end {
					break
				}
				continue
			}
			names = append(names, e.Name)
			content := e.Content(t)
			if of.by != (content.By != "") {
				t.Errorf("%s: by in %s", of.claim, e.Text)
			}
			if of.caller == guest && e.Name == "shareholdingIssued" && content.Records[0].ID != own {
				t.Errorf("%s sees %s", of.claim, e.Text)
			}
			if int(e.ID) == end {
				break
			}
		}
		if strings.Join(names, " ") != of.names || ids != 6 { // five events and the position at the beginning
			t.Errorf("%s: %d ids, %v", of.claim, ids, names)
		}
	}
}

// change changes the organization so many times, with several callers.

func TestCutStreamContinuesWithoutGapOrRepetition(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	address, first := b.Listen(t), f.JournalLength(t)
	const events, cuts = 10_000, 50
	written := make(chan struct{})
	go func() {
		defer close(written)
		apitest.ChangeOften(t, f, events)
	}()
	last, received := first, 0
	stream := f.Follow(t, address, f.Home, "?since="+strconv.Itoa(first))
	for received < events {
		e := stream.Event(t)
		if last++; int(e.ID) != last {
			t.Fatalf("event %d follows %d", e.ID, last-1)
		}
		if received++; received%(events/cuts) == 0 {
			stream.Close()
			stream = f.Follow(t, address, f.Home, "?since=1", "Last-Event-ID", strconv.Itoa(last))
		}
	}
	<-written
}

func TestStreamBeginsOnlyAtKnownEvents(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	beyond := strconv.Itoa(f.JournalLength(t) + 1)
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
		got := f.Must(t, "GET", f.Home+"/event"+of.query, "", http.StatusBadRequest, of.headers...)
		if got.FieldErrors(t) != of.fault {
			t.Errorf("%s %v: %s", of.query, of.headers, got.Body)
		}
	}
}

func TestStreamsAreLimited(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, apitest.LiveSettings(live.Settings{PerUser: 2, Total: 3}))
	f := b.NewFirm(t, "owner@example.com")
	guest := b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, guest, "Guest")
	address := b.Listen(t)
	refused := func(c *apitest.Client) bool {
		response := c.RequestStream(t, address, f.Home, "").Response
		return response.StatusCode == http.StatusTooManyRequests && response.Header.Get("Retry-After") != ""
	}
	opened := f.Follow(t, address, f.Home, "")
	f.Follow(t, address, f.Home, "")
	if !refused(f.Client) {
		t.Error("the limit of a user has no effect")
	}
	guest.Follow(t, address, f.Home, "")
	if !refused(guest) {
		t.Error("the limit of the server has no effect")
	}
	opened.Close()
	b.Eventually(t, "a closed stream is not counted", func() bool { return b.Live.Open() == 2 })
	f.Follow(t, address, f.Home, "")
}

func TestIdleStreamReceivesPings(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	stream := f.Follow(t, b.Listen(t), f.Home, "")
	for pings := 0; pings < 2; {
		e, ok := stream.Block()
		if !ok {
			t.Fatal("the stream ended")
		}
		if e.Comment == "ping" {
			pings++
		}
	}
}

func TestSlowReaderIsCutAndContinues(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, apitest.LiveSettings(live.Settings{Unsent: 1, Ping: time.Hour}))
	f := b.NewFirm(t, "owner@example.com")
	address, first := b.Listen(t), f.JournalLength(t)
	stream := f.Follow(t, address, f.Home, "")
	if e, ok := stream.Block(); !ok || !e.HasID {
		t.Fatalf("%+v", e)
	}
	b.Eventually(t, "the stream follows published events", func() bool { // before that, it reads the journal
		f.NewLegend(t, `{"name":"`+strings.Repeat("x", 1+f.JournalLength(t))+`","text":"Not registered."}`)
		return b.Live.Open() == 0
	})
	again := f.Follow(t, address, f.Home, "", "Last-Event-ID", strconv.Itoa(first))
	for sequence := first + 1; sequence <= f.JournalLength(t); sequence++ {
		if e := again.Event(t); int(e.ID) != sequence {
			t.Fatalf("%d in place of %d", e.ID, sequence)
		}
	}
}

func TestReaderThatTakesNothingIsCut(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, apitest.LiveSettings(live.Settings{Write: 50 * time.Millisecond}))
	f := b.NewFirm(t, "owner@example.com")
	apitest.ChangeOften(t, f, 4000)
	address, _ := serveOnSocket(t, b)
	ask(t, address, f.Home+"/event?since=1", f.Cookie)
	b.Eventually(t, "the stream begins", func() bool { return b.Live.Open() == 1 })
	b.Eventually(t, "the stream ends", func() bool { return b.Live.Open() == 0 })
}

func TestStreamEndsWithTheMembership(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	guest := b.NewPerson(t, "guest@example.com")
	member := f.Join(t, f.Home, guest, "Guest")
	stream := guest.Follow(t, b.Listen(t), f.Home, "")
	f.Must(t, "DELETE", f.Home+"/member/"+member, "", http.StatusOK)
	for _, e := range stream.Ends() {
		if e.Text != "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestStreamEndsWithTheSession(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		address := b.Listen(t)
		ended := signInAs(t, f.Server, f.Client, messages.SignIn{})
		kept, stream := f.Follow(t, address, f.Home, ""), ended.Follow(t, address, f.Home, "")
		ended.Copy().Must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
		stream.Ends()
		if status := ended.RequestStream(t, address, f.Home, "").Response.StatusCode; status != http.StatusUnauthorized {
			t.Errorf("again: %d", status)
		}
		f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
		kept.Event(t)
	})
}

func TestStreamDoesNotExtendItsSession(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	stream := f.Follow(t, b.Listen(t), f.Home, "")
	const idle = 7 * 24 * time.Hour
	for range 4 {
		b.Clock.Advance(idle / 3)
		f.Anonymous().Send(t, "GET", "/v1/user/current", "")
	}
	stream.Ends()
}

func TestStreamsEndAtShutdownWithATimeToReconnect(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	address := b.Listen(t)
	stream := f.Follow(t, address, f.Home, "")
	if err := b.Live.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	rest := stream.Ends()
	if len(rest) == 0 || rest[len(rest)-1].Retry == "" {
		t.Errorf("%+v", rest)
	}
	if status := f.RequestStream(t, address, f.Home, "").Response.StatusCode; status != http.StatusServiceUnavailable {
		t.Errorf("after the end: %d", status)
	}
}

func TestHeadOfAStreamHasNoBody(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, b.Listen(t)+f.Home+"/event", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", f.Cookie)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _ = response.Body.Close(); response.StatusCode != http.StatusOK || b.Live.Open() != 0 {
		t.Errorf("%s, %d streams", response.Status, b.Live.Open())
	}
}

func TestResumedEventsEqualLiveEvents(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	address, first := b.Listen(t), f.JournalLength(t)
	stream := f.Follow(t, address, f.Home, "")
	legend := f.Home + "/legend/" + f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
	f.Must(t, "PATCH", legend, `{"default":true}`, http.StatusOK)
	f.Must(t, "DELETE", legend, "", http.StatusNoContent)
	f.Must(t, "DELETE", newRole(t, f), "", http.StatusNoContent)
	resumed := f.Follow(t, address, f.Home, "?since="+strconv.Itoa(first))
	for range f.JournalLength(t) - first {
		if before, after := stream.Event(t), resumed.Event(t); before != after {
			t.Errorf("%+v, resumed %+v", before, after)
		}
	}
}
