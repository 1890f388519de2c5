package organization

import (
	"maps"
	"strings"

	"equity/captable"
)

// CreateRole asks for a role of the organization's own.
type CreateRole struct{ RoleTerms }

// ReplaceRole asks for other terms of a role. Its members keep it under its new name.
type ReplaceRole struct {
	ID RoleID `json:"-"`
	RoleTerms
}

// DeleteRole asks to remove a role that nobody has.
type DeleteRole struct{ ID RoleID }

// RoleCreated records a new role.
type RoleCreated struct {
	ID    RoleID    `json:"id"`
	Terms RoleTerms `json:"terms"`
}

// RoleChanged records other terms of a role.
type RoleChanged struct {
	ID    RoleID    `json:"id"`
	Terms RoleTerms `json:"terms"`
}

// RoleDeleted records that a role which nobody had is gone.
type RoleDeleted struct {
	ID RoleID `json:"id"`
}

func (c CreateRole) decide(s *State, m Moment) ([]Event, error) {
	terms, err := c.checked(s, m, RoleID{})
	if err != nil {
		return nil, err
	}
	return []Event{RoleCreated{ID: m.NewID(), Terms: terms}}, nil
}

// decide gives a role other permissions. Whoever does so has those that it had and those that it gets: else one could
// raise oneself, or pull down somebody above.
func (c ReplaceRole) decide(s *State, m Moment) ([]Event, error) {
	role, err := s.role(c.ID)
	if err != nil {
		return nil, err
	}
	if err := s.mayGive(m, role.Permissions); err != nil {
		return nil, err
	}
	terms, err := c.checked(s, m, c.ID)
	if err != nil {
		return nil, err
	}
	return []Event{RoleChanged{ID: c.ID, Terms: terms}}, nil
}

// decide deletes a role that no member has.
func (c DeleteRole) decide(s *State, m Moment) ([]Event, error) {
	role, err := s.role(c.ID)
	if err != nil {
		return nil, err
	}
	if err := s.mayGive(m, role.Permissions); err != nil {
		return nil, err
	}
	for member := range s.Members() {
		if member.has(role.Name) {
			return nil, captable.Refuse(captable.CodeInUse, "A member has this role.").With("member", member.ID.String())
		}
	}
	return []Event{RoleDeleted(c)}, nil
}

// checked gives the terms as they are kept, or what is wrong with them.
func (t RoleTerms) checked(s *State, m Moment, self RoleID) (RoleTerms, error) {
	t.Name, t.Description = strings.TrimSpace(t.Name), strings.TrimSpace(t.Description)
	var faults captable.Faults
	if t.Name == "" {
		faults.Add("/name", "required", "A role has a name.")
	}
	if t.Permissions == 0 {
		faults.Add("/permissions", "required", "A role permits something.")
	}
	if err := faults.Err(); err != nil {
		return t, err
	}
	for _, other := range s.Roles() {
		if strings.EqualFold(other.Name, t.Name) && (other.BuiltIn || other.ID != self) {
			return t, captable.Refuse(captable.CodeConflict, "Another role has this name.").With("name", other.Name)
		}
	}
	return t, s.mayGive(m, t.Permissions)
}

// CodeForbidden refuses what the author may not do, whatever the guards of the request
// said: what it takes depends on what is given.
const CodeForbidden captable.Code = "forbidden"

// mayGive refuses an author who would give, change or take away more than they may do
// themselves: else whoever manages members could make themselves an owner.
func (s *State) mayGive(m Moment, given Permissions) error {
	if m.By.IsZero() {
		return nil // the system: an import, an operator
	}
	own, _ := s.Permissions(m.By)
	if missing := given &^ own; missing != 0 {
		return captable.Refuse(CodeForbidden, "Nobody gives or takes what they may not do themselves.").
			With("missing", strings.Join(missing.Names(), " "))
	}
	return nil
}

func (s *State) role(id RoleID) (*Role, error) {
	if role, ok := s.Role(id); ok {
		return role, nil
	}
	return nil, captable.Refuse(captable.CodeNotFound, "There is no such role.")
}

func (e RoleCreated) apply(s *State, stamp captable.Stamp) {
	s.setRole(&Role{ID: e.ID, RoleTerms: e.Terms, Meta: captable.NewMeta(stamp)})
}

// apply restates the role. Members name their roles, so that a new name goes on to them.
func (e RoleChanged) apply(s *State, stamp captable.Stamp) {
	old, ok := s.Role(e.ID)
	if !ok {
		return
	}
	next := *old
	next.RoleTerms = e.Terms
	next.Touch(stamp)
	s.dropRole(old)
	s.setRole(&next)
	if next.Name != old.Name {
		s.renameRole(old.Name, next.Name, stamp)
	}
}

func (e RoleDeleted) apply(s *State, _ captable.Stamp) {
	if old, ok := s.Role(e.ID); ok {
		s.dropRole(old)
	}
}

// renameRole gives everybody who has the role its new name.
func (s *State) renameRole(old, name string, stamp captable.Stamp) {
	var having []MemberID
	for member := range s.Members() {
		if member.has(old) {
			having = append(having, member.ID)
		}
	}
	for _, id := range having {
		s.changeMember(id, stamp, func(m *Member) {
			roles := make([]string, len(m.Roles))
			for i, role := range m.Roles {
				if roles[i] = role; role == old {
					roles[i] = name
				}
			}
			m.Roles = roles
		})
	}
}

// setRole enters the role and what it allows. Others may be reading the map: it is
// replaced, not changed.
func (s *State) setRole(role *Role) {
	s.roles.Set(role.ID, role)
	s.allowed = maps.Clone(s.allowed)
	s.allowed[role.Name] = role.Permissions
}

func (s *State) dropRole(role *Role) {
	s.roles.Delete(role.ID)
	s.allowed = maps.Clone(s.allowed)
	delete(s.allowed, role.Name)
}
