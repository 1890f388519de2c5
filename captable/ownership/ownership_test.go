package ownership_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/captable/ownership"
)

var (
	ada = captabletest.Entity(0xa)
	bob = captabletest.Entity(0xb)
)

// bundle is a cap table whose ownership is read over time.
type bundle struct{ *captabletest.Company }

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{captabletest.New(tb)}
}

func day(text string) captable.Date { return exact.MustDate(text) }

func (b *bundle) over(byHolder bool, points int) ownership.Timeline {
	return ownership.Over(b.State, ownership.Query{ByHolder: byHolder, Points: points, To: day(captabletest.Today), Name: b.NameOf})
}

// names lists the series as kind:name.
func names(t ownership.Timeline) string {
	var all []string
	for _, series := range t.Series {
		all = append(all, string(series.Kind)+":"+series.Name)
	}
	return strings.Join(all, ", ")
}

// agrees checks every point against the cap table of its day.
func (b *bundle) agrees(t ownership.Timeline) {
	b.Helper()
	for _, point := range t.Points {
		table, sum := b.State.TableOn(point.Date, b.NameOf), captable.Decimal{}
		for _, value := range point.Values {
			sum = sum.Add(value)
		}
		if !sum.Equal(table.Totals.FullyDiluted) || !point.FullyDiluted.Equal(sum) || !point.Outstanding.Equal(table.Totals.Outstanding) {
			b.Errorf("%s: %v; the table has %s of %s", point.Date, point, table.Totals.Outstanding, table.Totals.FullyDiluted)
		}
	}
}

func TestValuesSumToTheCapTable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.Common("1000000")
	preferred := b.Security(captable.SecurityTerms{
		Name: "Series A", ShareType: captable.SharePreferred, AuthorizedShares: captable.Authorized{Shares: captabletest.Number("1000")},
		Conversion: &captable.Conversion{Security: common, Ratio: captabletest.Number("1.3333333333")},
	})
	held := b.Issue(ada, common, "300", "2020-03-01")
	b.Issue(bob, preferred, "7", "2021-06-01")
	b.Plan(captabletest.Plan(common, "50"))
	warrant := captabletest.Warrant(bob, preferred, "2", "2022-01-01")
	warrant.ExpirationDate = day("2023-05-01")
	b.Instrument(warrant)
	b.Do(captable.TransferShareholding{
		Shareholding: held, To: captabletest.Holder(bob), Shares: captabletest.Number("100"), Date: day("2024-01-01"), Kind: "sale",
	})
	b.Do(captable.SplitSecurity{ID: preferred, Numerator: captabletest.Number("3"), Denominator: captabletest.Number("1"), Date: day("2025-01-01")})
	for _, points := range []int{2, 60, 200} {
		b.agrees(b.over(false, points))
		b.agrees(b.over(true, points))
	}
	over := b.over(false, 60)
	captabletest.Equal(t, "series", names(over), "security:Common Stock, security:Series A, options:Options and warrants, pools:Available in pools")
	captabletest.Equal(t, "from", over.From.String(), "2020-03-01")
	captabletest.Equal(t, "series of holders", names(b.over(true, 60)), "holder:Ada Lovelace, holder:Bob Noyce, pools:Available in pools")
}

func TestClosingsArePoints(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.Common("1000000")
	b.Do(captable.CreateBlock{BlockTerms: captable.BlockTerms{Name: "Seed"}})
	b.Do(captable.CreateBlock{BlockTerms: captable.BlockTerms{Name: "Never issued"}})
	b.Issue(ada, common, "1", "2020-01-01")
	for _, on := range []string{"2022-02-03", "2022-02-02"} {
		command := captabletest.Issue(bob, common, "10", on)
		command.Block = "seed"
		b.Do(command)
	}
	over := b.over(false, 2)
	captabletest.Equal(t, "closings", len(over.Closings), 1)
	captabletest.Equal(t, "closing", over.Closings[0].Name+" "+over.Closings[0].Date.String(), "Seed 2022-02-02")
	captabletest.Equal(t, "the round has an id", over.Closings[0].ID.IsZero(), false)
	captabletest.Equal(t, "points", len(over.Points), 3)
	captabletest.Equal(t, "the middle point", over.Points[1].Date.String()+" "+over.Points[1].FullyDiluted.String(), "2022-02-02 11")
}

func TestACompanyWithoutSharesHasOneDay(t *testing.T) {
	t.Parallel()
	over := setup(t).over(true, 60)
	captabletest.Equal(t, "points", len(over.Points), 1)
	captabletest.Equal(t, "series", len(over.Series), 0)
}

func TestSmallHoldersAreSummed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.crowd(ownership.MostHolders + 3)
	over := b.over(true, 10)
	b.agrees(over)
	captabletest.Equal(t, "series", len(over.Series), ownership.MostHolders+1)
	captabletest.Equal(t, "the last series", over.Series[ownership.MostHolders].Kind, ownership.KindRest)
}

// crowd issues preferred stock to the number of holders, on different days.
func (b *bundle) crowd(holders int) {
	common := b.Common("1000000000")
	preferred := b.Security(captable.SecurityTerms{
		Name: "Series A", ShareType: captable.SharePreferred, AuthorizedShares: captable.Authorized{Shares: captabletest.Number("100000000")},
		Conversion: &captable.Conversion{Security: common, Ratio: captabletest.Number("1.3333333333")},
	})
	for i := range holders {
		var entity captable.EntityID
		binary.BigEndian.PutUint64(entity[:], uint64(i+1)*0x9E3779B97F4A7C15)
		b.Holders[entity] = "Holder"
		b.Issue(entity, preferred, exact.NewDecimal(int64(100+i)).String(), (day("2016-01-01") + captable.Date(i%3600)).String())
	}
}

// BenchmarkOver reads 200 points of 10,000 holders.
func BenchmarkOver(b *testing.B) {
	c := setup(b)
	c.crowd(10_000)
	b.ReportAllocs()
	for b.Loop() {
		_ = c.over(true, 200)
	}
}
