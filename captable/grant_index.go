package captable

// pack packs the grants. After reading, it rebuilds the index of holders.
func (r *grantRegister) pack(p *Packer) {
	packFew(p, r.records, func(g *Grant) GrantID { return g.ID })
	if !p.reading {
		return
	}
	for grant := range r.records.All() {
		r.byHolder.Set(grantKey{grant.Entity, grant.ID})
	}
}

// holds reports whether the entity has an outstanding grant.
func (r *grantRegister) holds(entity EntityID) bool {
	for id := range heldBy(r.byHolder, entity, GrantID{}) {
		if grant, ok := r.records.Get(id); ok && grant.Status.Outstanding() {
			return true
		}
	}
	return false
}
