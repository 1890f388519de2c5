package http

import (
	"bytes"
	"context"
	"slices"

	"equity/captable"
	"equity/captable/vesting"
	"equity/messages"
	"equity/organization"
)

// vestingHandlers maps operation ids to the handlers of vesting schedules.
func (s *Server) vestingHandlers() map[string]Handler {
	return map[string]Handler{
		"createVestingSchedule":    s.createVestingSchedule,
		"supersedeVestingSchedule": s.supersedeVestingSchedule,
		"deleteVestingSchedule":    s.deleteVestingSchedule,
		"getVestingSchedule":       s.getVestingSchedule,
		"listVestingSchedules":     s.listVestingSchedules,
		"projectVesting":           s.projectVesting,
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

func (c *Call) showVestingSchedule(schedule *captable.VestingSchedule) any {
	return vestingScheduleRecord{schedule, c.Organization}
}

// seesVestingSchedule reports whether the caller may see the schedule: with the plans, or because a
// holding of theirs uses it.
func (c *Call) seesVestingSchedule(schedule *captable.VestingSchedule) bool {
	return c.seesPlans() || c.Can(organization.ViewSelf) && c.View.State.Table().VestsFor(c.Member.Entity, schedule.ID)
}

// newVestingSchedule carries out a command that creates a schedule. About is the superseded schedule;
// nil for a first version.
func (s *Server) newVestingSchedule(ctx context.Context, c *Call, command captable.Command, about any) (Answer, error) {
	return s.alter(ctx, c, command, about, func(reply messages.Reply) (shown, error) {
		schedule, err := touched[*captable.VestingSchedule](reply)
		if err != nil {
			return shown{}, err
		}
		return shown{c.showVestingSchedule(schedule), schedule.Version, "/vestingSchedule/" + schedule.ID.String()}, nil
	})
}

func (s *Server) createVestingSchedule(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.CreateVestingSchedule](c)
	if err != nil {
		return Answer{}, err
	}
	return s.newVestingSchedule(ctx, c, command, nil)
}

func (s *Server) supersedeVestingSchedule(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.SupersedeVestingSchedule](c)
	if err != nil {
		return Answer{}, err
	}
	command.Old = pathID[captable.VestingSchedule](c, "vestingSchedule")
	return s.newVestingSchedule(ctx, c, command, command.Old)
}

func (s *Server) deleteVestingSchedule(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[captable.VestingSchedule](c, "vestingSchedule")
	return s.remove(ctx, c, captable.DeleteVestingSchedule{Plan: pathID[captable.Plan](c, "plan"), ID: id}, id)
}

func (s *Server) getVestingSchedule(_ context.Context, c *Call) (Answer, error) {
	schedule, ok := c.View.State.Table().VestingSchedule(pathID[captable.VestingSchedule](c, "vestingSchedule"))
	if !ok || !c.seesVestingSchedule(schedule) {
		return Answer{}, errNotFound()
	}
	return c.read(c.showVestingSchedule(schedule), schedule.Version), nil
}

// listVestingSchedules lists the schedules of all organizations of the caller or of the requested one,
// in order of creation.
func (s *Server) listVestingSchedules(ctx context.Context, c *Call) (Answer, error) {
	homes, err := s.homes(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if wanted := organization.ID(queryID[struct{}](c, "organization")); !wanted.IsZero() {
		homes = slices.DeleteFunc(homes, func(home *Call) bool { return home.Organization != wanted })
	}
	var all []vestingScheduleRecord
	for _, home := range homes {
		for schedule := range home.View.State.Table().VestingSchedules() {
			if home.seesVestingSchedule(schedule) {
				all = append(all, vestingScheduleRecord{schedule, home.Organization})
			}
		}
	}
	slices.SortFunc(all, func(a, b vestingScheduleRecord) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return Answer{Record: pageAt(c, sinceEver, func(record vestingScheduleRecord) [16]byte { return record.ID }, slices.Values(all)), Private: true}, nil
}

// projectVesting computes the vesting of a hypothetical grant. It stores no record.
func (s *Server) projectVesting(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		captable.ProjectVesting
		VestingSchedule captable.VestingScheduleID `json:"vestingSchedule"`
		AsOf            captable.Date              `json:"asOf"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	var kept *captable.VestingSchedule
	if !wish.VestingSchedule.IsZero() {
		if kept, err = s.keptSchedule(ctx, c, wish.VestingSchedule); err != nil {
			return Answer{}, err
		}
	}
	day := wish.AsOf
	if day.IsZero() {
		day = c.AsOf()
	}
	projection, err := wish.On(day, kept)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Record: projection, Private: true}, nil
}

// keptSchedule returns a schedule of any organization in which the caller may see it. To other callers
// it does not exist.
func (s *Server) keptSchedule(ctx context.Context, c *Call, id captable.VestingScheduleID) (*captable.VestingSchedule, error) {
	unknown := captable.Faults{{Pointer: "/vestingSchedule", Code: "unknownReference", Message: "The vesting schedule does not exist."}}.Err()
	at, kind, err := s.locator.locate(ctx, id)
	if err != nil {
		return nil, unavailable(err)
	}
	if kind != "vestingSchedule" {
		return nil, unknown
	}
	home, err := s.homeOf(ctx, c, at)
	if err != nil {
		return nil, err
	}
	if home == nil {
		return nil, unknown
	}
	schedule, ok := home.View.State.Table().VestingSchedule(id)
	if !ok || !home.seesVestingSchedule(schedule) {
		return nil, unknown
	}
	return schedule, nil
}
