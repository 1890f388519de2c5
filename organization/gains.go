package organization

import (
	"slices"

	"equity/captable"
	"equity/fault"
)

// CodeSecondPerson refuses an entry by which its author gains, if the organization requires a second person for it.
const CodeSecondPerson fault.Code = "secondPersonRequired"

// Author is the author of entries, with the entities that belong to them.
type Author struct {
	state    *State
	user     UserID
	entities []captable.EntityID
	members  []MemberID
	roles    []string
}

// Author returns the user as an author in this organization. A former member keeps their entities.
func (s *State) Author(user UserID) *Author {
	author := &Author{state: s, user: user}
	if user.IsZero() {
		return author
	}
	if member, ok := s.MemberBy(user); ok {
		author.add(member)
		return author
	}
	for member := range s.Members() {
		if member.User == user {
			author.add(member)
		}
	}
	return author
}

func (a *Author) add(member *Member) {
	a.entities, a.members = append(a.entities, member.Entity), append(a.members, member.ID)
	a.roles = append(a.roles, member.Roles...)
}

// Gains reports whether the author gains by the event: equity, its terms, money or roles. The state of the author must contain the
// records that the event changes. The system gains nothing.
func (a *Author) Gains(event Event) bool {
	if len(a.entities) == 0 {
		return false
	}
	switch e := event.(type) {
	case TableEvent:
		return a.gainsEquity(e.Event)
	case MemberChanged:
		return len(e.AddedRoles) > 0 && slices.Contains(a.members, e.ID)
	case RoleChanged:
		return slices.Contains(a.roles, e.Terms.Name)
	case Changed:
		return e.SecondPersonEnds
	}
	return false
}

func (a *Author) gainsEquity(event captable.Event) bool {
	switch e := event.(type) {
	case captable.ShareholdingIssued:
		return a.owns(e.Entity)
	case captable.ShareholdingCorrected:
		return a.owns(e.Entity)
	case captable.ShareholdingAmended:
		return a.ownsShares(e.ID)
	case captable.ShareholdingEnded:
		return a.gainsByEnd(e)
	case captable.OptionGranted:
		return a.owns(e.Entity)
	case captable.OptionCorrected:
		return a.owns(e.Entity)
	case captable.OptionRepriced:
		return a.ownsGrant(e.ID)
	case captable.OptionVestingChanged:
		return a.ownsGrant(e.ID)
	case captable.OptionExercised:
		return a.ownsGrant(e.ID)
	case captable.InstrumentIssued:
		return a.owns(e.Entity)
	case captable.InstrumentCorrected:
		return a.owns(e.Entity)
	case captable.InstrumentAmended:
		return a.ownsInstrument(e.ID)
	case captable.InstrumentRepaid:
		return a.ownsInstrument(e.ID)
	case captable.InstrumentConverted:
		return a.ownsInstrument(e.ID)
	case captable.WarrantExercised:
		return a.ownsInstrument(e.ID)
	case captable.InstrumentEnded:
		return e.Result != nil && a.owns(e.Result.Entity) && !a.ownsInstrument(e.ID)
	}
	return false
}

// gainsByEnd reports whether the author gains by the end of shares: they receive shares of somebody else, or money or other shares for
// their own.
func (a *Author) gainsByEnd(e captable.ShareholdingEnded) bool {
	own := slices.ContainsFunc(e.From, a.ownsShares)
	if e.Kind == captable.StatusRepurchased {
		return own && e.Price != nil
	}
	if e.Kind == captable.StatusConverted {
		return own
	}
	return !own && slices.ContainsFunc(e.Results, func(result captable.Issue) bool { return a.owns(result.Entity) })
}

func (a *Author) owns(entity captable.EntityID) bool { return slices.Contains(a.entities, entity) }

func (a *Author) ownsShares(id captable.ShareholdingID) bool {
	held, ok := a.state.table.Shareholding(id)
	return ok && a.owns(held.Entity)
}

func (a *Author) ownsGrant(id captable.GrantID) bool {
	grant, ok := a.state.table.Grant(id)
	return ok && a.owns(grant.Entity)
}

func (a *Author) ownsInstrument(id captable.InstrumentID) bool {
	held, ok := a.state.table.Instrument(id)
	return ok && a.owns(held.Entity)
}

// checkSecondPerson refuses events by which their author gains, if the organization requires a second person. The end of this setting is
// permitted, because it is shown to the other Owners.
func (s *State) checkSecondPerson(events []Event, m DecideContext) error {
	if !s.profile.SecondPerson || m.By.IsZero() {
		return nil
	}
	author := s.Author(m.By)
	for _, event := range events {
		if _, ends := event.(Changed); !ends && author.Gains(event) {
			return fault.Refuse(
				CodeSecondPerson, "You would gain by this entry. This organization requires that another person records it.",
			)
		}
	}
	return nil
}

// MayGain reports whether authors may gain by events of this type.
func MayGain(eventType string) bool { return slices.Contains(gainfulTypes(), eventType) }

// gainfulTypes lists the types of the events by which an author may gain.
func gainfulTypes() []string {
	types := []string{MemberChanged{}.EventType(), RoleChanged{}.EventType(), Changed{}.EventType()}
	for _, event := range []captable.Event{
		captable.ShareholdingIssued{},
		captable.ShareholdingCorrected{},
		captable.ShareholdingAmended{},
		captable.ShareholdingEnded{Kind: captable.StatusTransferred},
		captable.ShareholdingEnded{Kind: captable.StatusRepurchased},
		captable.ShareholdingEnded{Kind: captable.StatusConverted},
		captable.ShareholdingEnded{Kind: captable.StatusReissued},
		captable.ShareholdingEnded{Kind: captable.StatusConsolidated},
		captable.OptionGranted{},
		captable.OptionCorrected{},
		captable.OptionRepriced{},
		captable.OptionVestingChanged{},
		captable.OptionExercised{Deduction: captable.Deduction{Kind: captable.StatusExercised}},
		captable.OptionExercised{Deduction: captable.Deduction{Kind: captable.StatusReleased}},
		captable.InstrumentIssued{},
		captable.InstrumentCorrected{},
		captable.InstrumentAmended{},
		captable.InstrumentRepaid{},
		captable.InstrumentConverted{},
		captable.WarrantExercised{},
		captable.InstrumentEnded{Kind: captable.StatusTransferred},
	} {
		types = append(types, event.EventType())
	}
	return types
}
