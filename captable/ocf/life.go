package ocf

import (
	"slices"
	"strconv"
	"strings"
)

// life holds the transactions of one security of any family.
type life struct {
	issuance *Object
	accepted []*Object
	ended    []*Object
	used     []*Object // neither accepts nor ends it
}

// checkLives reports contradictions in the life cycle of a security. It is issued, may be
// accepted once unless it is retracted, and ends at most once. It has no transactions before
// its issuance or after its end. The results of an ending are issued on the same day.
func (r *reader) checkLives() {
	lives := map[string]*life{}
	var order []*life
	of := func(security string) *life {
		if lives[security] == nil && r.issued[security] != nil {
			lives[security] = &life{issuance: r.issued[security]}
			order = append(order, lives[security])
		}
		return lives[security]
	}
	for _, o := range r.objects {
		family, effect := effectOf(o.Type)
		if effect == "ISSUANCE" {
			continue
		}
		if effect != "" {
			r.checkOutcome(o, family)
		}
		for _, security := range touched(o) {
			l := of(security)
			if l == nil {
				continue // dangling: reported already
			}
			if other, _ := effectOf(l.issuance.Type); effect != "" && other != family {
				r.findings.refuse(
					o, subject(o), codeOtherKind,
					"The security must be of another kind: "+quote(security)+" was made by "+l.issuance.Type+".",
				)
				continue
			}
			l.note(o, family, effect)
		}
	}
	for _, l := range order {
		r.checkLife(l)
	}
	for _, o := range r.objects {
		// The format does not have this field on issuances, but some packages use it.
		if o.Type == typeIssuance && o.text("split_transaction_id") != "" && r.madeBy[o.text("security_id")] == nil {
			r.findings.refuse(
				o, "/split_transaction_id", codeResultLoose, "The issuance states a split, so a transaction must have it as its result.",
			)
		}
	}
}

func (l *life) note(o *Object, family, effect string) {
	switch {
	case effect == "ACCEPTANCE":
		l.accepted = append(l.accepted, o)
	case ends(family, effect):
		l.ended = append(l.ended, o)
	default:
		l.used = append(l.used, o)
	}
}

// touched returns the securities that a transaction affects, without duplicates.
func touched(o *Object) []string {
	if o.Type == typeConsolidation {
		return distinct(o.texts("security_ids"))
	}
	if security := o.text("security_id"); security != "" {
		return []string{security}
	}
	return nil
}

// checkLife checks one security. Vesting may start before the issuance.
func (r *reader) checkLife(l *life) {
	issued := l.issuance.day()
	for _, o := range slices.Concat(l.accepted, l.ended, l.used) {
		if day := o.day(); day != 0 && issued != 0 && day < issued && !strings.HasPrefix(o.Type, "TX_VESTING_") {
			r.findings.refuse(o, "/date", codeBeforeIssue, "The date must not be before that of the issuance, "+issued.String()+".")
		}
	}
	slices.SortStableFunc(l.accepted, byDate)
	slices.SortStableFunc(l.ended, byDate)
	for _, o := range l.accepted[min(1, len(l.accepted)):] {
		r.findings.refuse(o, subject(o), codeAcceptedTwice, "The security was accepted before, by "+quote(l.accepted[0].ID)+".")
	}
	if len(l.ended) == 0 {
		return
	}
	end := l.ended[0]
	for _, o := range l.ended[1:] {
		r.findings.refuse(o, subject(o), codeEndedTwice, "The security ended before, by "+quote(end.ID)+".")
	}
	for _, o := range l.ended {
		if _, effect := effectOf(o.Type); effect == "RETRACTION" && len(l.accepted) > 0 {
			r.findings.refuse(
				o, subject(o), codeAcceptedRetracted, "The security was accepted, by "+quote(l.accepted[0].ID)+": it cannot be retracted.",
			)
		}
	}
	for _, o := range slices.Concat(l.accepted, l.used) {
		if o.day() > end.day() && end.day() != 0 && o.Type != typeReturn {
			r.findings.refuse(o, subject(o), codeAfterEnd, "The security ended before this, by "+quote(end.ID)+".")
		}
	}
}

// subject returns the pointer to the field that names the affected securities.
func subject(o *Object) string {
	if o.Type == typeConsolidation {
		return "/security_ids"
	}
	return "/security_id"
}

// distinct returns the texts in order without duplicates.
func distinct(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	return slices.DeleteFunc(texts, func(text string) bool {
		before := seen[text]
		seen[text] = true
		return before
	})
}

// outcome returns the resulting and balance securities of a transaction, with their pointers.
func outcome(o *Object) (pointers, securities []string) {
	add := func(pointer, security string) {
		if security != "" {
			pointers, securities = append(pointers, pointer), append(securities, security)
		}
	}
	list, _ := o.value("resulting_security_ids").([]any)
	for i, security := range texts(list) {
		add("/resulting_security_ids/"+strconv.Itoa(i), security)
	}
	add("/resulting_security_id", o.text("resulting_security_id"))
	add("/balance_security_id", o.text("balance_security_id"))
	return pointers, securities
}

// checkOutcome reports invalid results of a transaction: results issued on another day, of
// another kind, claimed by two transactions, or equal to an ended security.
func (r *reader) checkOutcome(o *Object, family string) {
	from := touched(o)
	if o.Type == typeConsolidation && len(from) != len(o.texts("security_ids")) {
		r.findings.refuse(o, "/security_ids", codeDuplicateRef, "Name each security once.")
	}
	pointers, securities := outcome(o)
	for i, security := range securities {
		issuance := r.issued[security]
		if issuance == nil {
			continue // dangling: reported already
		}
		if slices.Contains(from, security) && len(from) <= mostFields {
			r.findings.refuse(o, pointers[i], codeSelf, "A security must not result from itself.")
		}
		if other := r.madeBy[security]; other != nil {
			r.findings.refuse(
				o, pointers[i], codeResultTwice, "The security must not be the result of another transaction, "+quote(other.ID)+".",
			)
			continue
		}
		r.madeBy[security] = o
		if issuance.day() != o.day() && issuance.day() != 0 && o.day() != 0 {
			r.findings.refuse(
				o, pointers[i], codeResultDate,
				"The security must be issued on "+o.day().String()+"; it is issued on "+issuance.day().String()+".",
			)
		}
		made, _ := effectOf(issuance.Type)
		balance := strings.HasPrefix(pointers[i], "/balance")
		if made != family && (balance || family == "STOCK") {
			r.findings.refuse(o, pointers[i], codeOtherKind, "The security must be of another kind: "+issuance.Type+" makes it.")
		}
	}
}
