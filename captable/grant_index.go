package captable

// packGrants packs the grants. After reading, it rebuilds the index of holders.
func (s *State) packGrants(p *Packer) {
	packFew(p, s.grants, func(r *Grant) GrantID { return r.ID })
	if !p.reading {
		return
	}
	for grant := range s.Grants() {
		s.granted.Set(grantKey{grant.Entity, grant.ID})
	}
}

// holdsGrant reports whether the entity has an outstanding grant.
func (s *State) holdsGrant(entity EntityID) bool {
	for grant := range s.GrantsOf(entity) {
		if grant.Status.Outstanding() {
			return true
		}
	}
	return false
}
