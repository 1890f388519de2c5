package ocf_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// stable exports the company, imports the package, and checks the second export and the table.
// Returns the package and the imported company.
func (b *born) stable() (fstest.MapFS, *world) {
	b.Helper()
	day := exact.DateOf(b.now)
	files := b.export(day.String())
	valid(b, files)
	again := setup(b)
	again.now = b.now
	again.taken(files)
	second := again.export(day.String())
	for name, file := range files {
		if got := second[name]; got == nil || !bytes.Equal(got.Data, file.Data) {
			b.Errorf("%s is not stable", name)
		}
	}
	equal(b, "the table", again.table(day), b.table(day))
	return files, again
}

// reserve creates a plan with a pool of 100 common shares.
func (b *born) reserve() captable.PoolRef {
	b.Helper()
	created := b.do(captable.CreatePlan{PlanTerms: captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "Plan", BoardApprovalDate: exact.MustDate("2024-01-01")},
		Pools:       []captable.PoolTerms{{Name: "Main", Security: b.common, TotalShares: number("100")}},
	}})[0].(captable.PlanCreated)
	return captable.PoolRef{Plan: created.ID, Pool: created.Terms.Pools[0].ID}
}

func (b *born) resize(pool captable.PoolRef, shares, on string) {
	b.Helper()
	b.do(captable.AdjustPool{PoolRef: pool, TotalShares: number(shares), EffectiveDate: exact.MustDate(on)})
}

func (b *born) grant(pool captable.PoolRef, quantity, on string) captable.GrantID {
	b.Helper()
	command := captable.GrantOption{HolderRef: holder(b.ada), Quantity: number(quantity), ExercisePrice: &captable.Price{Amount: number("0.5")}}
	command.Type, command.Plan, command.Pool, command.IssueDate = captable.GrantNSO, pool.Plan, pool.Pool, exact.MustDate(on)
	return b.do(command)[0].(captable.OptionGranted).ID
}

// tight returns a package that only daily limits accept: two sizes of a pool on a day, and a
// grant before it that exceeds the first size.
func tight(b *born) fstest.MapFS {
	pool := b.reserve()
	b.resize(pool, "5", "2024-06-01")
	b.resize(pool, "100", "2024-06-01")
	b.grant(pool, "50", "2024-05-01")
	files, _ := b.stable()
	return files
}

func TestGrantBeforeADayWithTwoPoolSizesComesBack(t *testing.T) {
	t.Parallel()
	tight(company(t))
}

func TestPackageWithoutDailyLimitsIsCheckedAfterEachTransaction(t *testing.T) {
	t.Parallel()
	files := tight(company(t))
	manifest := files["Manifest.ocf.json"]
	manifest.Data = bytes.Replace(manifest.Data, []byte("Limits hold at the end of each day."), []byte("Made by hand."), 1)
	w := setup(t)
	found := refusals(w.take(files))
	if len(found) != 1 || !strings.HasPrefix(found[0], "TX_STOCK_PLAN_POOL_ADJUSTMENT/") {
		t.Errorf("the findings are %v; want one of a pool adjustment", found)
	}
}

func TestExcessOfADailyLimitIsRefusedWithItsTransaction(t *testing.T) {
	t.Parallel()
	b := company(t)
	id := b.issue(b.ada, b.common, "100")
	files := b.export("2026-03-01")
	transactions := files["Transactions.ocf.json"]
	transactions.Data = bytes.Replace(transactions.Data, []byte(`"quantity":"100"`), []byte(`"quantity":"1001"`), 1)
	w := setup(t)
	equalLists(t, "refusals", refusals(w.take(files)), []string{"TX_STOCK_ISSUANCE/" + id.String() + "-issued/quantity insufficientShares"})
	equal(t, "common", w.outstanding()["Common"], "")
}

func TestManifestOfAnImportStaysWithoutDailyLimits(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.taken(sound().files())
	if text := string(w.export("2026-01-01")["Manifest.ocf.json"].Data); strings.Contains(text, "Limits hold") {
		t.Errorf("the manifest is %s", text)
	}
}

func TestSharesFromTheTreasuryComeBack(t *testing.T) {
	t.Parallel()
	b := company(t)
	id := b.issue(b.ada, b.common, "1000")
	b.do(captable.RepurchaseShareholding{
		ID: id, Shares: number("200"), Price: &captable.Price{Amount: number("1")}, Date: exact.MustDate("2024-03-01"), ToTreasury: true,
	})
	command := captable.IssueShareholding{HolderRef: holder(b.bob), Security: b.common, Shares: number("50"), IssueDate: exact.MustDate("2024-04-01")}
	b.do(command)
	b.do(captable.AuthorizeShares{ID: b.common, Quantity: number("100"), EffectiveDate: exact.MustDate("2024-03-15")})
	_, again := b.stable()
	for copied := range again.state.Securities() {
		if copied.Name == "Common" {
			equal(t, "the treasury", copied.Treasury.String(), "150")
		}
	}
}

func TestEarlierPoolSizeIsStatedAsOfItsDate(t *testing.T) {
	t.Parallel()
	b := company(t)
	pool := b.reserve()
	b.resize(pool, "300", "2024-06-01")
	b.resize(pool, "350", "2024-05-01")
	files, _ := b.stable()
	equal(t, "sizes", sizesIn(b, files), "2024-06-01=300 2024-05-01=350")
}

func TestSecondSizeBeforeALaterOneIsStated(t *testing.T) {
	t.Parallel()
	b := company(t)
	pool := b.reserve()
	b.resize(pool, "300", "2024-06-01")
	b.resize(pool, "350", "2024-05-01")
	b.resize(pool, "200", "2024-05-20")
	files, _ := b.stable()
	equal(t, "sizes", sizesIn(b, files), "2024-06-01=300 2024-05-01=350 2024-05-20=200")
}

// sizesIn returns the days and sizes of the adjustments of pools in a package.
func sizesIn(b *born, files fstest.MapFS) string {
	b.Helper()
	var sizes []string
	for _, object := range contentOf(b, files).objects["OCF_TRANSACTIONS_FILE"] {
		fields := object.(map[string]any)
		sizes = append(sizes, fields["date"].(string)+"="+fields["shares_reserved"].(string))
	}
	return strings.Join(sizes, " ")
}

func TestImportedPoolSizeMovesWithAnEarlierOne(t *testing.T) {
	t.Parallel()
	b := company(t)
	pool := b.reserve()
	b.resize(pool, "300", "2024-06-01")
	_, again := b.stable()
	var copied captable.PoolRef
	for plan := range again.state.Plans() {
		copied = captable.PoolRef{Plan: plan.ID, Pool: plan.Pools[0].ID}
	}
	again.do(captable.AdjustPool{PoolRef: copied, TotalShares: number("350"), EffectiveDate: exact.MustDate("2024-05-01")})
	(&born{world: again}).stable()
}

func TestRecordCorrectedToAClassThatSplitOnItsDayFollowsTheSplit(t *testing.T) {
	t.Parallel()
	const day = "2026-03-01"
	split := func(b *born) {
		b.do(captable.SplitSecurity{ID: b.common, Numerator: number("1"), Denominator: number("2"), Date: exact.MustDate(day)})
	}
	t.Run("shares", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		command := captable.IssueShareholding{HolderRef: holder(b.ada), Security: b.preferred, Shares: number("9"), IssueDate: exact.MustDate(day)}
		id := b.do(command)[0].(captable.ShareholdingIssued).ID
		split(b)
		b.do(captable.CorrectShareholding{
			ID: id, HolderRef: holder(b.ada), Security: b.common, Shares: number("9"), IssueDate: exact.MustDate(day), Reason: "misread",
		})
		b.stable()
	})
	t.Run("a grant", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		pool := b.reserve()
		command := captable.GrantOption{
			HolderRef: holder(b.ada), Quantity: number("9"), ExercisePrice: &captable.Price{Amount: number("0.5")}, Class: b.preferred,
		}
		command.Type, command.IssueDate = captable.GrantNSO, exact.MustDate(day)
		id := b.do(command)[0].(captable.OptionGranted).ID
		split(b)
		command.Class, command.Plan, command.Pool = captable.SecurityID{}, pool.Plan, pool.Pool
		b.do(captable.CorrectGrant{ID: id, GrantOption: command, Reason: "misread"})
		b.stable()
	})
	t.Run("a warrant", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		command := captable.IssueInstrument{HolderRef: holder(b.ada)}
		command.Kind, command.Security, command.Quantity = captable.KindWarrant, b.preferred, number("9")
		command.ExercisePrice, command.IssueDate = &captable.Price{Amount: number("1")}, exact.MustDate(day)
		id := b.do(command)[0].(captable.InstrumentIssued).ID
		split(b)
		command.Security = b.common
		b.do(captable.CorrectInstrument{
			ID: id, HolderRef: command.HolderRef, InstrumentFacts: command.InstrumentFacts, InstrumentTerms: command.InstrumentTerms, Reason: "misread",
		})
		b.stable()
	})
}

func TestAccelerationAfterABackDatedCancellationIsOfTheBalance(t *testing.T) {
	t.Parallel()
	b := company(t)
	pool := b.reserve()
	command := captable.GrantOption{HolderRef: holder(b.ada), Quantity: number("40"), ExercisePrice: &captable.Price{Amount: number("0.5")}}
	command.Type, command.Plan, command.Pool, command.IssueDate = captable.GrantNSO, pool.Plan, pool.Pool, exact.MustDate("2024-02-01")
	command.Vestings = []vesting.Vesting{{Date: exact.MustDate("2029-01-01"), Quantity: number("40")}}
	id := b.do(command)[0].(captable.OptionGranted).ID
	b.do(captable.AccelerateGrant{ID: id, Quantity: new(number("10")), Date: exact.MustDate("2024-06-01")})
	b.do(captable.CancelGrant{ID: id, Quantity: new(number("20")), Date: exact.MustDate("2024-05-01"), Reason: "Agreed."})
	_, again := b.stable()
	equalLists(t, "the grants", again.figures(exact.MustDate("2026-03-01")), b.figures(exact.MustDate("2026-03-01")))
	for _, figures := range again.grants("2026-03-01") {
		equal(t, "with the accelerated quantity", figures, "nso active 40 10 0 20 20")
	}
}

func TestUnrecordedLapseAfterATerminationComesBack(t *testing.T) {
	t.Parallel()
	b := company(t)
	pool := b.reserve()
	command := captable.GrantOption{HolderRef: holder(b.ada), Quantity: number("40"), ExercisePrice: &captable.Price{Amount: number("0.5")}}
	command.Type, command.Plan, command.Pool, command.IssueDate = captable.GrantNSO, pool.Plan, pool.Pool, exact.MustDate("2024-02-01")
	command.TerminationWindows = []captable.TerminationWindow{{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 1, Unit: vesting.Months}}}
	id := b.do(command)[0].(captable.OptionGranted).ID
	b.do(captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: exact.MustDate("2024-06-01"), Reason: captable.VoluntaryOther}})
	_, again := b.stable()
	for _, figures := range again.grants("2026-03-01") {
		equal(t, "after the window", strings.HasSuffix(figures, " 0"), true)
	}
}

func TestBalanceOfAnImportedGrantKeepsItsID(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.taken(planned(
		granted("o", "2024-02-01", "50"),
		tx("EQUITY_COMPENSATION_CANCELLATION", "o", "2024-03-01", `"quantity":"20","reason_text":"r","balance_security_id":"rest"`),
		granted("rest", "2024-03-01", "30"),
	).files())
	for grant := range w.state.Grants() {
		w.do(captable.AcceptGrant{ID: grant.ID, Date: exact.MustDate("2024-04-01")})
	}
	equalLists(t, "refusals", refusals(setup(t).take(w.export("2026-01-01"))), nil)
}
