package ledger

import "equity/captable/exact"

// transfer ends a security. The results and the balance are new securities with the same total.
func (l *ledger) transfer(s Step) error {
	one, gone, err := l.reduce(s)
	if err != nil {
		return err
	}
	if len(s.Results) == 0 {
		return l.hand(one, gone, s)
	}
	results, err := l.results(s, one)
	if err != nil {
		return err
	}
	return sumsTo(results, one, gone)
}

// hand issues a part of the security to the holder in the step.
func (l *ledger) hand(one *security, gone exact.Decimal, s Step) error {
	if s.To == "" || s.To == nobody {
		return refuse("A transfer requires results or a new holder.")
	}
	return l.enter(&security{
		class: one.class, plan: one.plan, holder: s.To, family: one.family, issued: max(one.issued, s.Date),
		quantity: gone, counted: one.counted, made: l.step,
	})
}

// transferByHolder transfers stock of a holder, oldest securities first.
func (l *ledger) transferByHolder(s Step) error {
	if s.Shares == nil || s.Shares.Sign() <= 0 {
		return refuse("The quantity must be above zero.")
	}
	left, taken := *s.Shares, []*security{}
	for _, one := range l.order {
		if left.Sign() > 0 && one.live() && one.family == stock && one.holder == s.From && (s.Class == "" || s.Class == one.class) {
			taken = append(taken, one)
			left = left.Sub(left.Min(one.quantity))
		}
	}
	if left.Sign() > 0 {
		return refuse("The holder " + quote(s.From) + " has " + s.Shares.Sub(left).String() + ", not " + s.Shares.String() + ".")
	}
	left = *s.Shares
	for _, one := range taken {
		part := left.Min(one.quantity)
		left = left.Sub(part)
		if err := l.transfer(Step{Security: one.id, Shares: &part, To: s.To, Date: s.Date}); err != nil {
			return err
		}
	}
	return nil
}

// reissue replaces stock by its results, which may include a split.
func (l *ledger) reissue(s Step) error {
	one, err := l.find(s.Security, s.Date)
	if err != nil {
		return err
	}
	l.end(one)
	results, err := l.results(s, one)
	if err != nil || s.Split {
		return err
	}
	return sumsTo(results, one, one.quantity)
}

// consolidate replaces several securities by one.
func (l *ledger) consolidate(s Step) error {
	var last *security
	sum := exact.Decimal{}
	for _, id := range s.Securities {
		one, err := l.find(id, s.Date)
		if err != nil {
			return err
		}
		if last != nil && (one.class != last.class || one.holder != last.holder || one.family != last.family) {
			return refuse("Consolidated securities must have the same holder and class.")
		}
		sum, last = sum.Add(one.quantity), one
		l.end(one)
	}
	if last == nil {
		return refuse("A consolidation requires securities.")
	}
	results, err := l.results(s, last)
	if err != nil {
		return err
	}
	return sumsTo(results, last, sum)
}

// convert ends a convertible or stock. The results are stock of another class.
func (l *ledger) convert(s Step) error {
	one, _, err := l.reduce(s)
	if err != nil {
		return err
	}
	results, err := l.results(s, one)
	if err != nil {
		return err
	}
	for _, made := range results {
		if made.family != stock || made.holder != one.holder || one.family == stock && made.class == one.class {
			return refuse("A conversion must result in stock of another class for the same holder.")
		}
	}
	return nil
}

// exercise converts options, units or a warrant into stock. Options are reduced by the quantity and end at zero. A
// warrant ends completely. Exercised shares do not return to the pool.
func (l *ledger) exercise(s Step) error {
	one, err := l.find(s.Security, s.Date)
	if err != nil {
		return err
	}
	gone, err := one.part(s.Shares)
	if err != nil {
		return err
	}
	if one.family != equity && one.family != warrant {
		return refuse("Only options, units and warrants can be exercised.")
	}
	results, err := l.results(s, one)
	if err != nil {
		return err
	}
	for _, made := range results {
		if made.family != stock || one.holder != "" && made.holder != one.holder {
			return refuse("An exercise must result in stock for the same holder.")
		}
	}
	if one.quantity = one.quantity.Sub(gone); one.family == warrant || one.quantity.Sign() == 0 {
		one.ended = true
		l.ended = append(l.ended, one.id)
	}
	return nil
}

// results links the results of a step to its security.
func (l *ledger) results(s Step, of *security) ([]*security, error) {
	var all []*security
	for _, id := range s.Results {
		made := l.securities[id]
		if made == nil {
			return nil, refuse("There is no security " + quote(id) + " for the result.")
		}
		if err := l.result(made, of, s.Date); err != nil {
			return nil, err
		}
		all = append(all, made)
	}
	if len(all) == 0 {
		return nil, refuse("The transaction has no results.")
	}
	return all, nil
}

// sumsTo checks that the results are of the class of the ended security and add up to the quantity.
func sumsTo(results []*security, of *security, want exact.Decimal) error {
	var sum exact.Decimal
	for _, made := range results {
		if made.family != of.family || made.class != of.class {
			return refuse("The result " + quote(made.id) + " is of another class.")
		}
		sum = sum.Add(made.quantity)
	}
	if of.counted && sum.Cmp(want) != 0 {
		return refuse("The results are " + sum.String() + ", not " + want.String() + ".")
	}
	return nil
}
