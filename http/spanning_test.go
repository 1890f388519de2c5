package http_test

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// investor is a person who holds shares, a warrant, a note and a SAFE in each of two organizations.
type investor struct {
	*firm // the first organization
	other *firm
	// profile is the path of the portfolio; shares that of the shareholding in the first organization.
	profile, shares string
}

func newInvestor(tb testing.TB, b *bundle) *investor {
	tb.Helper()
	i := &investor{firm: b.firm(tb, "ida@example.com")}
	i.other = &firm{client: i.client, home: i.company(tb)}
	i.other.id = last(i.other.home)
	i.other.common = i.other.security(tb, `{"name":"Common Stock","shareType":"common","prefix":"CS","authorizedShares":"1000000"}`)
	entity := i.user.Entity.String()
	i.profile = "/v1/entity/" + entity + "/profile"
	for _, f := range []*firm{i.other, i.firm} {
		i.shares = f.issue(tb, entity, "100", `"pricePerShare":"2"`)
		f.issueHolding(tb, "warrant", entity, warrantTerms+`,"security":"`+f.common+`"`)
		f.issueHolding(tb, "convertibleNote", entity, noteTerms)
		f.issueHolding(tb, "safe", entity, safeTerms)
	}
	return i
}

// pages returns the records in the field of all pages of a list, and the answers.
func (c *client) pages(tb testing.TB, path, field string, limit int) (records []any, answers []answer) {
	tb.Helper()
	for cursor, more := "", true; more; {
		got := c.must(tb, "GET", path+"?limit="+strconv.Itoa(limit)+cursor, "", http.StatusOK)
		page := got.list(tb, field)
		if len(page) > limit {
			tb.Errorf("%d records on a page of %d", len(page), limit)
		}
		records, answers = append(records, page...), append(answers, got)
		cursor, more = got.get(tb, "nextCursor").(string)
		cursor = "&cursor=" + cursor
	}
	return records, answers
}

func TestPagesOverOrganizationsJoinToTheWholeList(t *testing.T) {
	t.Parallel()
	i := newInvestor(t, setup(t))
	for path, field := range map[string]string{i.profile: "positions", "/v1/holding": "data"} {
		whole := i.must(t, "GET", path, "", http.StatusOK)
		if _, more := whole.get(t, "nextCursor").(string); more {
			t.Errorf("%s has pages without a limit", path)
		}
		for _, limit := range []int{1, 3, 200} {
			records, answers := i.pages(t, path, field, limit)
			if want := whole.list(t, field); !reflect.DeepEqual(records, want) || len(answers) != (len(want)+limit-1)/limit {
				t.Errorf("%s by %d: %d pages with %v, want %v", path, limit, len(answers), records, want)
			}
		}
	}
}

func TestFirstPageOfAPortfolioHasTheTotals(t *testing.T) {
	t.Parallel()
	i := newInvestor(t, setup(t))
	whole := i.must(t, "GET", i.profile, "", http.StatusOK)
	_, pages := i.pages(t, i.profile, "positions", 3)
	for _, field := range []string{"totalInvested", "currentValue"} {
		if first := pages[0].list(t, field); len(first) != 1 || !reflect.DeepEqual(first, whole.list(t, field)) {
			t.Errorf("%s of the first page is %v", field, first)
		}
		if second := pages[1].list(t, field); len(second) != 0 {
			t.Errorf("%s of the second page is %v", field, second)
		}
	}
}

func TestPageContinuesAfterItsLastRecordHasEnded(t *testing.T) {
	t.Parallel()
	i := newInvestor(t, setup(t))
	want := i.must(t, "GET", i.profile, "", http.StatusOK).list(t, "positions")[1:]
	first := i.must(t, "GET", i.profile+"?limit=1", "", http.StatusOK)
	i.must(t, "DELETE", i.shares, `{"reason":"a mistake"}`, http.StatusOK)
	rest := i.must(t, "GET", i.profile+"?limit=200&cursor="+first.text(t, "nextCursor"), "", http.StatusOK).list(t, "positions")
	if !reflect.DeepEqual(rest, want) {
		t.Errorf("%v, want %v", rest, want)
	}
}

func TestCursorOfAnotherListIsRefused(t *testing.T) {
	t.Parallel()
	i := newInvestor(t, setup(t))
	shares := i.must(t, "GET", i.profile+"?limit=1", "", http.StatusOK).text(t, "nextCursor")
	unknown := api.Cursor{Sequence: 1, After: newID()}.String()
	for _, cursor := range []string{shares, unknown} {
		got := i.must(t, "GET", "/v1/holding?cursor="+cursor, "", http.StatusBadRequest)
		if errors := got.fieldErrors(t); errors != "/query/cursor format" {
			t.Error(errors)
		}
	}
}

func TestPageShowsNothingOfAnOrganizationThatTheCallerHasLeft(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i, guest := newInvestor(t, b), b.person(t, "guest@example.com")
	member := i.join(t, i.home, guest, "Guest")
	i.issueHolding(t, "safe", guest.holder, safeTerms)
	i.issueHolding(t, "convertibleNote", guest.holder, noteTerms)
	cursor := guest.must(t, "GET", "/v1/holding?limit=1", "", http.StatusOK).text(t, "nextCursor")
	i.must(t, "DELETE", i.home+"/member/"+member, `{"keepHoldings":true}`, http.StatusOK)
	if rest := guest.must(t, "GET", "/v1/holding?cursor="+cursor, "", http.StatusOK).list(t, "data"); len(rest) != 0 {
		t.Errorf("%v", rest)
	}
}

// paired are organizations of which each read waits for another one at the same time.
type paired struct {
	api.Organizations
	on   atomic.Bool
	meet chan struct{}
}

func (p *paired) View(ctx context.Context, id organization.ID) (*messages.View, error) {
	if p.on.Load() {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		select {
		case p.meet <- struct{}{}:
		case <-p.meet:
		case <-ctx.Done():
			return nil, messages.ErrUnavailable
		}
	}
	return p.Organizations.View(ctx, id)
}

func TestOrganizationsOfACallerAreReadInParallel(t *testing.T) {
	t.Parallel()
	organizations := &paired{meet: make(chan struct{})}
	b := setup(t, func(_ *equityhttp.Settings, services *equityhttp.Services) {
		organizations.Organizations = services.Organizations
		services.Organizations = organizations
	})
	p := b.person(t, "ida@example.com")
	var questions [][2]string
	for range 2 {
		id := organization.ID(newID())
		if err := found(t.Context(), b, id, "Company", p.user.ID, p.user.Entity); err != nil {
			t.Fatal(err)
		}
		questions = append(questions, [2]string{"getOrganization", `"organization":"` + id.String() + `"`})
	}
	organizations.on.Store(true)
	for _, path := range []string{
		"/v1/organization", "/v1/entity/" + p.user.Entity.String() + "/profile", "/v1/holding", "/v1/user/current", "/v1/vestingSchedule",
	} {
		p.must(t, "GET", path, "", http.StatusOK)
	}
	for _, result := range p.ask(t, questions...) {
		if result.Status != http.StatusOK || !strings.Contains(string(result.Body), "Company") {
			t.Errorf("%d %s", result.Status, result.Body)
		}
	}
}
