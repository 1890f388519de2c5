package embedded

import "strings"

func addMember(w *work, found []string) {
	name, email := strings.Trim(found[0], `"' `), found[1]
	w.propose(
		"addMember", map[string]any{"body": map[string]any{"fullName": name, "email": email, "kind": "individual"}},
		"Add the member "+name+" <"+email+">.",
	)
}

func createSecurity(w *work, found []string) {
	name, shares := strings.Trim(found[0], `"' `), exactNumber(found[1])
	kind := "common"
	if strings.Contains(strings.ToLower(name), "preferred") || strings.Contains(strings.ToLower(name), "series") {
		kind = "preferred"
	}
	w.propose("createSecurity", map[string]any{"body": map[string]any{"name": name, "shareType": kind, "authorizedShares": shares}},
		"Create the security "+name+" ("+kind+") with "+shares+" authorized shares.")
}

func issue(w *work, found []string) {
	shares, price, date := exactNumber(found[0]), exactNumber(found[3]), found[4]
	all, _, ok := listed[security](w, "listSecurities")
	if !ok {
		return
	}
	class, ok := named(w, "security", strings.Trim(found[1], `"' `), all, func(s security) []string { return []string{s.Name, s.Prefix} })
	if !ok {
		return
	}
	holder, ok := w.holder(found[2])
	if !ok {
		return
	}
	body := map[string]any{"entity": holder.Entity, "security": class.ID, "shares": shares, "issueDate": w.dated(date)}
	summary := "Issue " + shares + " shares of " + class.Name + " to " + holder.FullName + " on " + w.dated(date)
	if price != "" {
		body["pricePerShare"] = price
		summary += " at " + price + " per share"
	}
	w.propose("issueShareholding", map[string]any{"body": body}, summary+".")
}

func grant(w *work, found []string) {
	quantity, date := exactNumber(found[0]), found[3]
	plans, _, ok := listed[plan](w, "listPlans")
	if !ok {
		return
	}
	var pools []pool
	for _, p := range plans {
		for _, one := range p.Pools {
			one.plan = p
			pools = append(pools, one)
		}
	}
	from, ok := w.pool(found[1], pools)
	if !ok {
		return
	}
	holder, ok := w.holder(found[2])
	if !ok {
		return
	}
	w.propose("createHolding", map[string]any{"body": map[string]any{
		"kind": "option", "type": "nso", "entity": holder.Entity, "plan": from.plan.ID, "pool": from.ID, "quantity": quantity,
		"issueDate": w.dated(date),
	}}, "Grant "+quantity+" options (NSO) of the pool "+from.Name+" to "+holder.FullName+" on "+w.dated(date)+".")
}

// pool returns the pool with the name of the pool or of its plan, or the only pool.
func (w *work) pool(name string, pools []pool) (pool, bool) {
	if name == "" && len(pools) == 1 {
		return pools[0], true
	}
	return named(w, "pool", strings.Trim(name, `"' `), pools, func(p pool) []string { return []string{p.plan.Name + " " + p.Name, p.Name, p.plan.Name} })
}

// holder returns the member with the name or the address.
func (w *work) holder(name string) (member, bool) {
	all, _, ok := listed[member](w, "listMembers")
	if !ok {
		return member{}, false
	}
	return named(w, "member", strings.Trim(name, `"' `), all, func(m member) []string { return []string{m.FullName, m.Email} })
}

// dated returns the date, or today.
func (w *work) dated(date string) string {
	if date == "" {
		return w.today
	}
	return date
}
