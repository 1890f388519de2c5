package organization

import "equity/captable"

// CommandOf is a command with a result of type R.
type CommandOf[R any] interface {
	Command
	// Result returns the result: a part of the state after the events of the command.
	Result(events []Event, after *State) (R, bool)
}

// ResultOf returns the result of a decided command, or false if the state does not contain it. After is the state after
// the events.
func ResultOf[R any](command CommandOf[R], events []Event, after *State) (R, bool) {
	return command.Result(events, after)
}

// TableCommand returns the command of the cap table as a command of the organization.
func TableCommand[R any](command captable.CommandOf[R]) CommandOf[R] {
	return tableOf[R]{Table{command}, command}
}

// tableOf is a [Table] with a result.
type tableOf[R any] struct {
	Table
	command captable.CommandOf[R]
}

func (c tableOf[R]) Result(events []Event, after *State) (R, bool) {
	decided := make([]captable.Event, 0, len(events))
	for _, event := range events {
		if table, ok := event.(TableEvent); ok {
			decided = append(decided, table.Event)
		}
	}
	return captable.ResultOf(c.command, decided, after.table)
}

// Result returns the added member, or the removed member that was added again.
func (c AddMember) Result(events []Event, after *State) (*Member, bool) {
	for _, one := range events {
		switch event := one.(type) {
		case MemberAdded:
			return after.Member(event.Member.ID)
		case MemberReturned:
			return after.Member(event.ID)
		}
	}
	return nil, false
}

func (c AmendMember) Result(_ []Event, after *State) (*Member, bool) {
	return after.Member(c.ID)
}

func (c RemoveMember) Result(_ []Event, after *State) (*Member, bool) {
	return after.Member(c.ID)
}

func (c CreateRole) Result(events []Event, after *State) (*Role, bool) {
	for _, one := range events {
		if event, ok := one.(RoleCreated); ok {
			return after.Role(event.ID)
		}
	}
	return nil, false
}

func (c ReplaceRole) Result(_ []Event, after *State) (*Role, bool) { return after.Role(c.ID) }

func (c CloseRound) Result(events []Event, after *State) (*captable.Block, bool) {
	for _, one := range events {
		if table, ok := one.(TableEvent); ok {
			if event, ok := table.Event.(captable.BlockCreated); ok {
				return after.table.Block(event.ID)
			}
		}
	}
	return nil, false
}
