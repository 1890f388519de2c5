package organization

import (
	"maps"
	"strings"

	"equity/captable"
	"equity/fault"
)

// CreateRole creates a custom role.
type CreateRole struct{ RoleTerms }

// ReplaceRole replaces the terms of a role. Its members keep it under its new name.
type ReplaceRole struct {
	ID RoleID `json:"-"`
	RoleTerms
}

// DeleteRole deletes a role without members.
type DeleteRole struct{ ID RoleID }

// RoleCreated records a new role.
type RoleCreated struct {
	ID    RoleID    `json:"id"`
	Terms RoleTerms `json:"terms"`
}

// EventType returns the event's name in the journal.
func (RoleCreated) EventType() string { return "roleCreated" }

// Creates returns the role.
func (e RoleCreated) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: "role"}}
}

// Records returns the role.
func (e RoleCreated) Records(s *State) []any { return s.roleRecord(e.ID) }

// RoleChanged records the new terms of a role.
type RoleChanged struct {
	ID    RoleID    `json:"id"`
	Terms RoleTerms `json:"terms"`
}

// EventType returns the event's name in the journal.
func (RoleChanged) EventType() string { return "roleChanged" }

// Creates returns nil.
func (RoleChanged) Creates() []captable.Created { return nil }

// Records returns the role.
func (e RoleChanged) Records(s *State) []any { return s.roleRecord(e.ID) }

func (e RoleChanged) Affects(*State) []Reference { return affected(KindRole, e.ID) }

// RoleDeleted records the deletion of a role without members.
type RoleDeleted struct {
	ID RoleID `json:"id"`
}

// EventType returns the event's name in the journal.
func (RoleDeleted) EventType() string { return "roleDeleted" }

// Creates returns nil.
func (RoleDeleted) Creates() []captable.Created { return nil }

// Records returns nil: the role no longer exists.
func (RoleDeleted) Records(*State) []any { return nil }

func (e RoleDeleted) Affects(*State) []Reference { return affected(KindRole, e.ID) }

func (c CreateRole) Decide(s *State, m DecideContext) ([]Event, error) {
	terms, err := c.checked(s, m, RoleID{})
	if err != nil {
		return nil, err
	}
	return []Event{RoleCreated{ID: m.NewID(), Terms: terms}}, nil
}

// Decide replaces the terms of a role. The author must have both the old and the new permissions. Otherwise
// members could raise their own role or lower that of a superior.
func (c ReplaceRole) Decide(s *State, m DecideContext) ([]Event, error) {
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

// Decide deletes a role without members.
func (c DeleteRole) Decide(s *State, m DecideContext) ([]Event, error) {
	role, err := s.role(c.ID)
	if err != nil {
		return nil, err
	}
	if err := s.mayGive(m, role.Permissions); err != nil {
		return nil, err
	}
	for member := range s.Members() {
		if member.has(role.Name) {
			return nil, fault.Refuse(fault.InUse,
				"The role is assigned to a member. Remove it from all members first.").With("member", member.ID.String())
		}
	}
	return []Event{RoleDeleted(c)}, nil
}

// checked returns the normalized terms, or their faults.
func (t RoleTerms) checked(s *State, m DecideContext, self RoleID) (RoleTerms, error) {
	t.Name, t.Description = strings.TrimSpace(t.Name), strings.TrimSpace(t.Description)
	var faults fault.Fields
	if t.Name == "" {
		faults.Add("/name", "required", "name is required.")
	}
	if t.Permissions == 0 {
		faults.Add("/permissions", "required", "At least one permission is required.")
	}
	if err := faults.Err(); err != nil {
		return t, err
	}
	for _, other := range s.Roles() {
		if strings.EqualFold(other.Name, t.Name) && (other.BuiltIn || other.ID != self) {
			return t, fault.Refuse(fault.Conflict, "Another role has this name.").With("name", other.Name)
		}
	}
	return t, s.mayGive(m, t.Permissions)
}

// mayGive refuses to grant, change or remove permissions that the author does not have. Otherwise a manager of
// members could become an Owner.
func (s *State) mayGive(m DecideContext, given Permissions) error {
	if missing := given &^ s.grantable(m); missing != 0 {
		return fault.Refuse(fault.Forbidden, "You can grant or remove only permissions that you have.").
			With("missing", strings.Join(missing.Names(), " "))
	}
	return nil
}

// grantable returns the permissions that the author can grant: their own, or all for the system, which is an import or the operator.
func (s *State) grantable(m DecideContext) Permissions {
	if m.By.IsZero() {
		return allPermissions
	}
	return s.permissionsOf(m)
}

func (s *State) role(id RoleID) (*Role, error) {
	if role, ok := s.Role(id); ok {
		return role, nil
	}
	return nil, fault.Refuse(fault.NotFound, "The role does not exist.")
}

func (e RoleCreated) Apply(s *State, stamp captable.Stamp) {
	s.setRole(&Role{ID: e.ID, RoleTerms: e.Terms, Meta: captable.NewMeta(stamp)})
}

// Apply updates the role. Members refer to roles by name, so a new name is copied to them.
func (e RoleChanged) Apply(s *State, stamp captable.Stamp) {
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

func (e RoleDeleted) Apply(s *State, _ captable.Stamp) {
	if old, ok := s.Role(e.ID); ok {
		s.dropRole(old)
	}
}

// renameRole replaces the role's name in all members with the role.
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

// setRole stores the role and its permissions. The map is replaced, because other goroutines may read it. A custom role that is named
// Holder replaces the built-in one.
func (s *State) setRole(role *Role) {
	s.roles.Set(role.ID, role)
	s.allowed = maps.Clone(s.allowed)
	if isHolder(role.Name) {
		delete(s.allowed, RoleHolder)
	}
	s.allowed[role.Name] = role.Permissions
}

func (s *State) dropRole(role *Role) {
	s.roles.Delete(role.ID)
	s.allowed = maps.Clone(s.allowed)
	delete(s.allowed, role.Name)
	if isHolder(role.Name) {
		s.allowed[RoleHolder] = holderPermissions
	}
}
