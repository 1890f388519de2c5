package captable

// packGrants packs the grants; the index of their holders follows from them.
func (s *State) packGrants(p *Packer) {
	packFew(p, s.grants, func(r *Grant) GrantID { return r.ID })
	if !p.reading {
		return
	}
	for grant := range s.Grants() {
		s.granted.Set(grantKey{grant.Entity, grant.ID})
	}
}

// holdsGrant reports whether the entity has a grant of which something is left.
func (s *State) holdsGrant(entity EntityID) bool {
	for grant := range s.GrantsOf(entity) {
		if grant.Status.Outstanding() {
			return true
		}
	}
	return false
}
