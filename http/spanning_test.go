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
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
)

// investor is a person who holds shares, a warrant, a note and a SAFE in each of two organizations.
type investor struct {
	*apitest.Firm // the first organization
	other         *apitest.Firm
	// profile is the path of the portfolio; shares that of the shareholding in the first organization.
	profile, shares string
}

func newInvestor(tb testing.TB, b *apitest.Server) *investor {
	tb.Helper()
	i := &investor{Firm: b.NewFirm(tb, "ida@example.com")}
	i.other = &apitest.Firm{Client: i.Client, Home: i.NewOrganization(tb)}
	i.other.ID = apitest.IDOf(i.other.Home)
	i.other.Common = i.other.NewSecurity(tb, `{"name":"Common Stock","shareType":"common","prefix":"CS","authorizedShares":"1000000"}`)
	entity := i.User.Entity.String()
	i.profile = "/v1/entity/" + entity + "/profile"
	for _, f := range []*apitest.Firm{i.other, i.Firm} {
		i.shares = f.Issue(tb, entity, "100", `"pricePerShare":"2"`)
		f.IssueHolding(tb, "warrant", entity, apitest.WarrantTerms+`,"security":"`+f.Common+`"`)
		f.IssueHolding(tb, "convertibleNote", entity, apitest.NoteTerms)
		f.IssueHolding(tb, "safe", entity, apitest.SafeTerms)
	}
	return i
}

// readPages returns the records in the field of all pages of a list, and the answers.
func readPages(tb testing.TB, c *apitest.Client, path, field string, limit int) (records []any, answers []apitest.Answer) {
	tb.Helper()
	for cursor, more := "", true; more; {
		got := c.Must(tb, "GET", path+"?limit="+strconv.Itoa(limit)+cursor, "", http.StatusOK)
		page := got.List(tb, field)
		if len(page) > limit {
			tb.Errorf("%d records on a page of %d", len(page), limit)
		}
		records, answers = append(records, page...), append(answers, got)
		cursor, more = got.Get(tb, "nextCursor").(string)
		cursor = "&cursor=" + cursor
	}
	return records, answers
}

func TestPagesOverOrganizationsJoinToTheWholeList(t *testing.T) {
	t.Parallel()
	i := newInvestor(t, apitest.Setup(t))
	for path, field := range map[string]string{i.profile: "positions", "/v1/holding": "data"} {
		whole := i.Must(t, "GET", path, "", http.StatusOK)
		if _, more := whole.Get(t, "nextCursor").(string); more {
			t.Errorf("%s has pages without a limit", path)
		}
		for _, limit := range []int{1, 3, 200} {
			records, answers := readPages(t, i.Client, path, field, limit)
			if want := whole.List(t, field); !reflect.DeepEqual(records, want) || len(answers) != (len(want)+limit-1)/limit {
				t.Errorf("%s by %d: %d pages with %v, want %v", path, limit, len(answers), records, want)
			}
		}
	}
}

func TestFirstPageOfAPortfolioHasTheTotals(t *testing.T) {
	t.Parallel()
	i := newInvestor(t, apitest.Setup(t))
	whole := i.Must(t, "GET", i.profile, "", http.StatusOK)
	_, pages := readPages(t, i.Client, i.profile, "positions", 3)
	for _, field := range []string{"totalInvested", "currentValue"} {
		if first := pages[0].List(t, field); len(first) != 1 || !reflect.DeepEqual(first, whole.List(t, field)) {
			t.Errorf("%s of the first page is %v", field, first)
		}
		if second := pages[1].List(t, field); len(second) != 0 {
			t.Errorf("%s of the second page is %v", field, second)
		}
	}
}

func TestPageContinuesAfterItsLastRecordHasEnded(t *testing.T) {
	t.Parallel()
	i := newInvestor(t, apitest.Setup(t))
	want := i.Must(t, "GET", i.profile, "", http.StatusOK).List(t, "positions")[1:]
	first := i.Must(t, "GET", i.profile+"?limit=1", "", http.StatusOK)
	i.Must(t, "DELETE", i.shares, `{"reason":"a mistake"}`, http.StatusOK)
	rest := i.Must(t, "GET", i.profile+"?limit=200&cursor="+first.Text(t, "nextCursor"), "", http.StatusOK).List(t, "positions")
	if !reflect.DeepEqual(rest, want) {
		t.Errorf("%v, want %v", rest, want)
	}
}

func TestCursorOfAnotherListIsRefused(t *testing.T) {
	t.Parallel()
	i := newInvestor(t, apitest.Setup(t))
	shares := i.Must(t, "GET", i.profile+"?limit=1", "", http.StatusOK).Text(t, "nextCursor")
	unknown := api.Cursor{Sequence: 1, After: apitest.NewID()}.String()
	for _, cursor := range []string{shares, unknown} {
		got := i.Must(t, "GET", "/v1/holding?cursor="+cursor, "", http.StatusBadRequest)
		if errors := got.FieldErrors(t); errors != "/query/cursor format" {
			t.Error(errors)
		}
	}
}

func TestPageShowsNothingOfAnOrganizationThatTheCallerHasLeft(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	i, guest := newInvestor(t, b), b.NewPerson(t, "guest@example.com")
	member := i.Join(t, i.Home, guest, "Guest")
	i.IssueHolding(t, "safe", guest.Holder, apitest.SafeTerms)
	i.IssueHolding(t, "convertibleNote", guest.Holder, apitest.NoteTerms)
	cursor := guest.Must(t, "GET", "/v1/holding?limit=1", "", http.StatusOK).Text(t, "nextCursor")
	i.Must(t, "DELETE", i.Home+"/member/"+member, `{"keepHoldings":true}`, http.StatusOK)
	if rest := guest.Must(t, "GET", "/v1/holding?cursor="+cursor, "", http.StatusOK).List(t, "data"); len(rest) != 0 {
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
	b := apitest.Setup(t, func(_ *equityhttp.Settings, services *equityhttp.Services) {
		organizations.Organizations = services.Organizations
		services.Organizations = organizations
	})
	p := b.NewPerson(t, "ida@example.com")
	var questions [][2]string
	for range 2 {
		id := organization.ID(apitest.NewID())
		if err := found(t.Context(), b, id, "Company", p.User.ID, p.User.Entity); err != nil {
			t.Fatal(err)
		}
		questions = append(questions, [2]string{"getOrganization", `"organization":"` + id.String() + `"`})
	}
	organizations.on.Store(true)
	for _, path := range []string{
		"/v1/organization", "/v1/entity/" + p.User.Entity.String() + "/profile", "/v1/holding", "/v1/user/current", "/v1/vestingSchedule",
	} {
		p.Must(t, "GET", path, "", http.StatusOK)
	}
	for _, result := range askAll(t, p, questions...) {
		if result.Status != http.StatusOK || !strings.Contains(string(result.Body), "Company") {
			t.Errorf("%d %s", result.Status, result.Body)
		}
	}
}
