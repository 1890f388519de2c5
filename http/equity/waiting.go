package equity

import (
	"cmp"
	"fmt"
	"slices"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// maxWaiting is the number of listed tasks.
const maxWaiting = 20

// waiting is a pending task of the caller.
type waiting struct {
	Kind   string        `json:"kind"`
	ID     fmt.Stringer  `json:"id"`
	Name   string        `json:"name"`
	Holder string        `json:"holder"`
	Since  captable.Date `json:"since"`
	// Request and Quantity are those of an exercise request.
	Request  captable.RequestID `json:"request,omitzero"`
	Quantity captable.Decimal   `json:"quantity,omitzero"`
}

// addTasks lists the tasks that the caller may do, oldest first: to accept their own holdings, and, depending on the
// permissions, to answer exercise requests and to repurchase unvested shares.
func (d *dashboard) addTasks(c *api.Call) {
	tasks := slices.Concat(ownAcceptances(c, d.AsOf), exerciseRequests(c, d.AsOf), repurchases(c, d.AsOf))
	slices.SortStableFunc(tasks, func(a, b waiting) int { return cmp.Compare(a.Since, b.Since) })
	d.Counts.Waiting = len(tasks)
	d.Waiting = append(d.Waiting, tasks[:min(len(tasks), maxWaiting)]...)
}

// ownAcceptances returns the acceptances of the caller's own shares, convertibles, warrants and grants.
func ownAcceptances(c *api.Call, day captable.Date) (tasks []waiting) {
	table, self := c.View.State.Table(), c.Member.Entity
	if c.Can(organization.ViewSelf) || c.Can(organization.EditCapTable) {
		for now := range table.ShareholdingsOf(self) {
			if held, issued := now.On(day); issued && held.Status == captable.StatusActive {
				tasks = append(tasks, waiting{
					Kind: "acceptance", ID: held.ID, Name: held.Certificate, Holder: c.View.State.NameOf(held.Entity),
					Since: held.IssueDate,
				})
			}
		}
		for now := range table.InstrumentsOf(self) {
			if held, issued := now.On(day); issued && held.Status == captable.StatusActive {
				tasks = append(tasks, waiting{
					Kind: "holdingAcceptance", ID: held.ID, Name: string(held.Kind), Holder: c.View.State.NameOf(self),
					Since: held.IssueDate,
				})
			}
		}
	}
	if c.Can(organization.ViewSelf) || c.Can(organization.EditIncentivePlan) {
		for now := range table.GrantsOf(self) {
			if grant, issued := now.AsOf(day); issued && grant.Status == captable.StatusActive {
				tasks = append(tasks, waiting{
					Kind: "grantAcceptance", ID: grant.ID, Name: string(grant.Type), Holder: c.View.State.NameOf(self),
					Since: grant.IssueDate,
				})
			}
		}
	}
	return tasks
}

// exerciseRequests returns the unanswered requests of all holders for callers who may answer them.
func exerciseRequests(c *api.Call, day captable.Date) (tasks []waiting) {
	if !c.Can(organization.EditIncentivePlan) {
		return nil
	}
	for now := range c.View.State.Table().Grants() {
		if len(now.Requests) == 0 {
			continue
		}
		grant, issued := now.AsOf(day)
		if !issued {
			continue
		}
		for _, request := range grant.Requests {
			if request.Status == captable.RequestPending {
				tasks = append(tasks, waiting{
					Kind: "exerciseRequest", ID: grant.ID, Name: string(grant.Type), Holder: c.View.State.NameOf(grant.Entity),
					Since:   request.Date,
					Request: request.ID, Quantity: request.Quantity,
				})
			}
		}
	}
	return tasks
}

// repurchases returns the unvested shares of terminated holders for callers who may repurchase them.
func repurchases(c *api.Call, day captable.Date) (tasks []waiting) {
	if !c.Can(organization.EditCapTable) {
		return nil
	}
	for now := range c.View.State.Table().Shareholdings() {
		held, issued := now.On(day)
		if !issued || !held.Status.Outstanding() {
			continue
		}
		if right, ok := c.View.State.Table().RepurchasableOf(held, day); ok {
			tasks = append(tasks, waiting{
				Kind: "repurchase", ID: held.ID, Name: held.Certificate, Holder: c.View.State.NameOf(held.Entity), Since: right.Since,
			})
		}
	}
	return tasks
}
