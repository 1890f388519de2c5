package organization

import (
	"strconv"
	"time"

	"equity/captable"
	"equity/fault"
)

// CodePlanLimit refuses a command that raises a count beyond a limit of the plan.
const CodePlanLimit fault.Code = "planLimit"

// PlanLimits are the limits of a plan. 0 means no limit.
type PlanLimits struct {
	Shareholders int `json:"shareholders"`
	Members      int `json:"members"`
}

// DefaultLimits returns the limits of a plan without other limits of the provider.
func DefaultLimits(plan string) PlanLimits {
	switch plan {
	case PlanScale:
		return PlanLimits{}
	case PlanGrowth:
		return PlanLimits{Shareholders: 250, Members: 100}
	default:
		return PlanLimits{Shareholders: 25, Members: 10}
	}
}

// Counts are the counts that a plan limits.
type Counts struct {
	// Shareholders is the number of entities with outstanding shares, options or instruments.
	Shareholders int
	// Members is the number of members that are not removed.
	Members int
}

// Counts returns the present counts. The time is proportional to the number of holders.
func (s *State) Counts() Counts {
	return Counts{s.countHolders(0), s.presentMembers}
}

// countHolders counts the holders, up to one more than the limit. 0 is no limit.
func (s *State) countHolders(limit int) (number int) {
	for range s.table.Holders() {
		if number++; limit > 0 && number > limit {
			break
		}
	}
	return number
}

// limits returns the limits that apply at the time. Start are the limits of the smallest plan.
func (s *State) limits(start PlanLimits, now time.Time) PlanLimits {
	if s.subscription != nil && s.subscription.entitles(now) {
		return s.subscription.Limits
	}
	return start
}

// Unlimited is a command that may be permitted beyond the limits of the plan: transfers, voidings, departures and records of the
// subscription itself. They may give a stake to another entity, but must stay possible for an organization that does not pay.
type Unlimited interface{ Unlimited() bool }

func neverLimited(command Command) bool {
	unlimited, is := command.(Unlimited)
	return is && unlimited.Unlimited()
}

// Unlimited reports whether the command is a transfer or a voiding.
func (c Table) Unlimited() bool { return isTransfer(c.Command) }

// Unlimited returns true.
func (LeaveOrganization) Unlimited() bool { return true }

// Unlimited returns true.
func (RemoveMember) Unlimited() bool { return true }

// Unlimited returns true.
func (RecordSubscription) Unlimited() bool { return true }

// Unlimited returns true.
func (RecordPayment) Unlimited() bool { return true }

func isTransfer(command captable.Command) bool {
	switch command.(type) {
	case captable.TransferShareholding, captable.TransferInstrument, captable.VoidShareholding, captable.VoidGrant, captable.VoidInstrument:
		return true
	default:
		return false
	}
}

// withinLimits refuses the events of a command if they raise a count beyond a limit of the plan. All commands that raise a count,
// including imports, pass this check.
func withinLimits(d *Decision) error {
	s, m := d.Before, d.Context
	if m.StartLimits == nil || len(d.Events) == 0 || neverLimited(d.Command) {
		return nil
	}
	limits := s.limits(*m.StartLimits, m.Now)
	if limits == (PlanLimits{}) {
		return nil
	}
	after := d.After()
	if limits.Members > 0 && after.presentMembers > max(limits.Members, s.presentMembers) {
		return planLimit("members", limits.Members, s.presentMembers)
	}
	if limits.Shareholders == 0 || !s.gainsHolder(d.Events, after) || after.countHolders(limits.Shareholders) <= limits.Shareholders {
		return nil
	}
	if used := s.countHolders(0); after.countHolders(used) > used {
		return planLimit("shareholders", limits.Shareholders, used)
	}
	return nil
}

// gainsHolder reports whether the events give an entity without a stake one.
func (s *State) gainsHolder(events []Event, after *State) bool {
	gains := func(entity captable.EntityID) bool { return after.table.Holds(entity) && !s.table.Holds(entity) }
	for _, event := range events {
		for _, record := range event.Records(after) {
			switch r := record.(type) {
			case *captable.Shareholding:
				if gains(r.Entity) {
					return true
				}
			case *captable.Grant:
				if gains(r.Entity) {
					return true
				}
			case *captable.Instrument:
				if gains(r.Entity) {
					return true
				}
			}
		}
	}
	return false
}

func planLimit(count string, limit, used int) error {
	return fault.Refuse(
		CodePlanLimit, "The plan allows at most "+strconv.Itoa(limit)+" "+count+"; "+strconv.Itoa(used)+" are used. Choose a larger plan.",
	).
		With("count", count).With("limit", strconv.Itoa(limit)).With("used", strconv.Itoa(used))
}
