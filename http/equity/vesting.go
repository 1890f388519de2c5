package equity

import (
	"bytes"
	"context"
	"slices"

	"equity/captable"
	"equity/captable/vesting"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// operations maps operation ids to the handlers of vesting schedules.
func (s schedules) operations() map[string]api.Handler {
	schedules := api.Noun[captable.VestingSchedule]{
		Kernel: s.Kernel, Parameter: "vestingSchedule",
		Key: func(schedule *captable.VestingSchedule) (captable.VestingScheduleID, uint64) {
			return schedule.ID, schedule.Version
		},
		One:  vestingSchedule,
		Show: showVestingSchedule,
		Location: func(_ *api.Call, schedule *captable.VestingSchedule) string {
			return "/vestingSchedule/" + schedule.ID.String()
		},
	}
	return map[string]api.Handler{
		"createVestingSchedule": schedules.Create(api.InBody[captable.CreateVestingSchedule]),
		"supersedeVestingSchedule": schedules.Supersede(api.InBodyFor("vestingSchedule",
			func(command *captable.SupersedeVestingSchedule, id captable.VestingScheduleID) { command.Old = id })),
		"deleteVestingSchedule": schedules.Remove(func(c *api.Call, id captable.VestingScheduleID) organization.Command {
			return organization.Table{Command: captable.DeleteVestingSchedule{Plan: api.PathID[captable.Plan](c, "plan"), ID: id}}
		}),
		"getVestingSchedule":   schedules.Get,
		"listVestingSchedules": s.listVestingSchedules,
		"projectVesting":       s.projectVesting,
	}
}

type vestingScheduleRecord struct {
	*captable.VestingSchedule
	Organization organization.ID `json:"organization"`
}

// vestedRecord is the vested part of a holding; empty without a vesting schedule.
type vestedRecord struct {
	Vested      *captable.Decimal   `json:"vested,omitempty"`
	Unvested    *captable.Decimal   `json:"unvested,omitempty"`
	NextVesting *vesting.Instalment `json:"nextVesting,omitempty"`
}

func vestedOf(table *captable.State, held *captable.Shareholding, day captable.Date) vestedRecord {
	vested, ok := table.VestedOn(held, day)
	if !ok {
		return vestedRecord{}
	}
	return vestedRecord{&vested.Vested, &vested.Unvested, vested.Next}
}

func showVestingSchedule(c *api.Call, schedule *captable.VestingSchedule) any {
	return vestingScheduleRecord{schedule, c.Organization}
}

// seesVestingSchedule reports whether the caller may see the schedule: with the plans, or because a
// holding of theirs uses it.
func seesVestingSchedule(c *api.Call, schedule *captable.VestingSchedule) bool {
	return seesPlans(c) || c.Can(organization.ViewSelf) && c.View.State.Table().VestsFor(c.Member.Entity, schedule.ID)
}

// vestingSchedule returns the schedule if the caller may see it.
func vestingSchedule(c *api.Call, id captable.VestingScheduleID) (*captable.VestingSchedule, bool) {
	schedule, ok := c.View.State.Table().VestingSchedule(id)
	return schedule, ok && seesVestingSchedule(c, schedule)
}

// listVestingSchedules lists the schedules of all organizations of the caller or of the requested one,
// in order of creation.
func (s schedules) listVestingSchedules(ctx context.Context, c *api.Call) (api.Answer, error) {
	var all []vestingScheduleRecord
	visit := func(home *api.Call) {
		for schedule := range home.View.State.Table().VestingSchedules() {
			if seesVestingSchedule(home, schedule) {
				all = append(all, vestingScheduleRecord{schedule, home.Organization})
			}
		}
	}
	if wanted := organization.ID(api.QueryID[struct{}](c, "organization")); !wanted.IsZero() {
		home, err := s.HomeOf(ctx, c, wanted)
		if err != nil && !messages.IsUnreadable(err) && !fault.Is(err, fault.NotFound) {
			return api.Answer{}, err
		}
		if home != nil {
			visit(home)
		}
	} else if err := s.EachHome(ctx, c, visit); err != nil {
		return api.Answer{}, err
	}
	slices.SortFunc(all, func(a, b vestingScheduleRecord) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return api.Answer{
		Record:  api.PageAt(c, api.SinceEver, func(record vestingScheduleRecord) [16]byte { return record.ID }, slices.Values(all)),
		Private: true,
	}, nil
}

// projectVesting computes the vesting of a hypothetical grant. It stores no record.
func (s schedules) projectVesting(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		captable.ProjectVesting
		VestingSchedule captable.VestingScheduleID `json:"vestingSchedule"`
		AsOf            captable.Date              `json:"asOf"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	var kept *captable.VestingSchedule
	if !input.VestingSchedule.IsZero() {
		if kept, err = s.keptSchedule(ctx, c, input.VestingSchedule); err != nil {
			return api.Answer{}, err
		}
	}
	day := input.AsOf
	if day.IsZero() {
		day = c.AsOf()
	}
	projection, err := input.On(day, kept)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: projection, Private: true}, nil
}

// keptSchedule returns a schedule of any organization in which the caller may see it. To other callers
// it does not exist.
func (s schedules) keptSchedule(ctx context.Context, c *api.Call, id captable.VestingScheduleID) (*captable.VestingSchedule, error) {
	unknown := fault.Fields{{Pointer: "/vestingSchedule", Code: "unknownReference", Message: "The vesting schedule does not exist."}}.Err()
	at, kind, err := s.Locator.Locate(ctx, id)
	if err != nil {
		return nil, api.Unavailable(err)
	}
	if kind != "vestingSchedule" {
		return nil, unknown
	}
	home, err := s.HomeOf(ctx, c, at)
	if err != nil {
		return nil, err
	}
	if home == nil {
		return nil, unknown
	}
	schedule, ok := vestingSchedule(home, id)
	if !ok {
		return nil, unknown
	}
	return schedule, nil
}
