package http_test

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
)

const (
	manyOrganizations = 1000
)

// inMany makes the person the founder of 1,000 organizations with shares of one class, and returns their ids.
func inMany(tb testing.TB, b *apitest.Server, user organization.UserID, entity captable.EntityID) []string {
	tb.Helper()
	const founders = 16 // at the same time
	ids := make([]string, manyOrganizations)
	var wait sync.WaitGroup
	for from := range founders {
		wait.Go(func() {
			for i := from; i < manyOrganizations; i += founders {
				id := organization.ID(apitest.NewID())
				ids[i] = id.String()
				if err := found(tb.Context(), b, id, fmt.Sprintf("Company %04d", i), user, entity); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	wait.Wait()
	return ids
}

// found creates an organization in which the entity holds shares.
func found(
	ctx context.Context, b *apitest.Server, id organization.ID, name string, user organization.UserID, entity captable.EntityID,
) error {
	command := messages.Command{Organization: id, By: user.String(), At: b.Clock.Now()}
	create := command
	create.Body = organization.Create{
		ID: id, Profile: organization.Profile{Name: name, Currency: "USD"},
		Creator: organization.Founder{User: user, Entity: entity, Name: "Ida Investor"},
	}
	if _, err := b.Organizations.Do(ctx, create); err != nil {
		return err
	}
	security, _, err := messages.Do(ctx, b.Organizations, command, organization.TableCommand(captable.CreateSecurity{
		SecurityTerms: captable.SecurityTerms{
			Name: "Common Stock", ShareType: captable.ShareCommon, Prefix: "CS", AuthorizedShares: captable.AuthorizedOf(exact.NewDecimal(1000)),
		},
	}))
	if err != nil {
		return err
	}
	_, _, err = messages.Do(ctx, b.Organizations, command, organization.TableCommand(captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: entity}, Security: security.ID, Shares: exact.NewDecimal(10), IssueDate: exact.DateOf(b.Clock.Now()),
	}))
	return err
}

func TestUserOfAThousandOrganizationsIsServedWithBoundedMemory(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	p := b.NewPerson(t, "ida@example.com")
	ids := inMany(t, b, p.User.ID, p.User.Entity)
	most := 0
	counted := func(answer func()) {
		answer()
		most = max(most, b.Organizations.Live())
	}

	seen, pages := map[string]bool{}, 0
	for path := "/v1/organization?limit=100"; path != ""; pages++ {
		counted(func() {
			page := p.Must(t, "GET", path, "", http.StatusOK)
			for _, record := range page.List(t, "data") {
				seen[record.(map[string]any)["id"].(string)] = true
			}
			path = ""
			if cursor, more := page.Get(t, "nextCursor").(string); more {
				path = "/v1/organization?limit=100&cursor=" + cursor
			}
		})
	}
	if len(seen) != len(ids) || pages != manyOrganizations/100 {
		t.Errorf("%d organizations on %d pages", len(seen), pages)
	}
	profile := "/v1/entity/" + p.User.Entity.String() + "/profile"
	var positions []any
	counted(func() { positions = p.Must(t, "GET", profile, "", http.StatusOK).List(t, "positions") })
	counted(func() {
		if paged, answers := readPages(t, p, profile, "positions", 200); len(positions) != manyOrganizations || len(answers) != 5 || !reflect.DeepEqual(paged, positions) {
			t.Errorf("%d positions, %d on %d pages", len(positions), len(paged), len(answers))
		}
	})
	counted(func() { p.Must(t, "GET", "/v1/vestingSchedule", "", http.StatusOK) })
	var questions [][2]string
	for _, id := range ids[:20] {
		questions = append(questions, [2]string{"exportCapTable", `"organization":"` + id + `"`})
	}
	counted(func() {
		for len(questions) > 0 {
			var late [][2]string // to be sent again, because a query has a time limit
			for i, answer := range askAll(t, p, questions...) {
				if i > 0 && answer.Status == http.StatusTooManyRequests && strings.Contains(string(answer.Body), "queryTimeUsed") {
					late = append(late, questions[i])
				} else if answer.Status != http.StatusOK || !strings.Contains(string(answer.Body), "Common Stock") {
					t.Errorf("%d: %s", answer.Status, answer.Body)
				}
			}
			questions = late
		}
	})
	for deadline := time.Now().Add(20 * time.Second); b.Organizations.Live() > apitest.LiveLimit+10 && time.Now().Before(deadline); {
		p.Must(t, "GET", "/v1/organization?limit=1", "", http.StatusOK)
	}
	if live := b.Organizations.Live(); live > apitest.LiveLimit+10 || most > 4*apitest.LiveLimit {
		t.Errorf("%d organizations are in memory, at most %d were; the limit is %d", live, most, apitest.LiveLimit)
	}
}
