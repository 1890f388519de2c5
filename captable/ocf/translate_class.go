package ocf

import (
	"cmp"
	"slices"
	"strings"

	"equity/captable"
)

// Values of the format in place of a number of authorized shares.
const (
	authorizedUnlimited     = "UNLIMITED"
	authorizedNotApplicable = "NOT APPLICABLE"
)

func (t *translation) legend(s *step) {
	o := s.object
	s.gives = []key{{typeLegend, o.ID}}
	s.command = func(*names) captable.Command {
		return captable.CreateLegend{
			LegendTerms: captable.LegendTerms{
				Name: o.text("name"), Text: o.text("text"), ExternalID: o.ID, Comments: o.texts("comments"),
			},
			Source: o.source(),
		}
	}
}

// class creates a stock class after the class into which it converts.
func (t *translation) class(s *step) {
	o := s.object
	s.gives = []key{{typeClass, o.ID}}
	terms := t.terms(o)
	first, _ := o.remarks(commentFirstDay)
	target := t.converts[o.ID]
	if target != "" {
		s.needs = []key{{typeClass, target}}
	}
	s.command = func(n *names) captable.Command {
		command := captable.CreateSecurity{SecurityTerms: terms, Source: o.source(), EffectiveDate: dateOf(first[commentFirstDay])}
		if target != "" {
			command.Conversion = &captable.Conversion{Security: n.securities[target], Fraction: conversionRatio(o)}
		}
		return command
	}
}

// terms parses a stock class. A class whose authorized shares are not applicable has no
// limit.
func (t *translation) terms(o *Object) captable.SecurityTerms {
	facts, comments := o.remarks(commentFractional, commentDividend, commentParticipation, commentFirstDay)
	terms := captable.SecurityTerms{
		Name: o.text("name"), ShareType: captable.ShareType(strings.ToLower(o.text("class_type"))), Prefix: o.text("default_id_prefix"),
		ParValue: o.price("par_value"), Price: o.price("price_per_share"), VotesPerShare: o.figure("votes_per_share"),
		LiquidationPreferenceMultiple: o.figure("liquidation_preference_multiple"),
		ParticipationCapMultiple:      o.figure("participation_cap_multiple"),
		BoardApprovalDate:             o.date("board_approval_date"), StockholderApprovalDate: o.date("stockholder_approval_date"),
		ExternalID: o.ID, Comments: comments, DividendRate: figureOf(facts[commentDividend]),
		Participation: participationOf(facts[commentParticipation]),
	}
	terms.AuthorizedShares = statedLimit(o.text("initial_shares_authorized"))
	terms.VotingShares = terms.VotesPerShare != nil && terms.VotesPerShare.Sign() > 0
	terms.FractionalShares = facts[commentFractional] != "" || t.fractional[o.ID] || !terms.AuthorizedShares.Shares.IsWhole()
	if terms.ParticipationCapMultiple != nil && terms.ShareType == captable.SharePreferred {
		terms.Participation = "capped"
	}
	if rank, ranked := t.seniorities[o.ID]; ranked {
		terms.Seniority = &rank
	}
	return terms
}

// rankSeniorities assigns the seniorities of the classes. The cap table has only integers. If
// a package has other numbers, the classes are ranked from the most junior, starting at 1,
// because only their order matters.
func (t *translation) rankSeniorities() {
	type class struct {
		object    *Object
		seniority captable.Decimal
	}
	var classes []class
	whole := true
	for _, o := range t.objects {
		if figure := o.figure("seniority"); o.Type == typeClass && figure != nil {
			classes = append(classes, class{o, *figure})
			whole = whole && figure.IsWhole() && figure.Rat().Num().BitLen() < 31
		}
	}
	slices.SortStableFunc(classes, func(a, b class) int {
		return cmp.Or(a.seniority.Cmp(b.seniority), cmp.Compare(a.object.Order, b.object.Order))
	})
	rank := 0
	for i, c := range classes {
		if whole {
			t.seniorities[c.object.ID] = int(c.seniority.Rat().Num().Int64())
			continue
		}
		if i == 0 || !c.seniority.Equal(classes[i-1].seniority) {
			rank++
		}
		t.seniorities[c.object.ID] = rank
		t.findings.warn(
			c.object, "/seniority", codeSeniority, "Seniorities are kept as whole numbers: the classes were counted in their order.",
		)
	}
}

// conversions returns the conversion rights of the class that name a target class.
func conversions(o *Object) []map[string]any {
	list, _ := o.value("conversion_rights").([]any)
	var rights []map[string]any
	for _, entry := range list {
		if right, ok := entry.(map[string]any); ok && textIn(right, "converts_to_stock_class_id") != "" {
			rights = append(rights, right)
		}
	}
	return rights
}

func ratioIn(right map[string]any) (captable.Ratio, bool) {
	mechanism, _ := right["conversion_mechanism"].(map[string]any)
	return ratioOf(mechanism["ratio"])
}

// conversionRatio returns the ratio of the first conversion right with a ratio, or the zero
// Ratio if no right has one.
func conversionRatio(o *Object) captable.Ratio {
	for _, right := range conversions(o) {
		if ratio, ok := ratioIn(right); ok {
			return ratio
		}
	}
	return captable.Ratio{}
}

// adjustedRatio returns the ratio of an adjustment and reports whether it is valid.
func adjustedRatio(o *Object) (captable.Ratio, bool) {
	return ratioOf(o.inner("new_ratio_conversion_mechanism").value("ratio"))
}

// ratio changes the conversion ratio of a class from a date on.
func (t *translation) ratio(s *step) {
	o := s.object
	s.needs = []key{{typeClass, o.text("stock_class_id")}}
	s.command = func(n *names) captable.Command {
		ratio, _ := adjustedRatio(o)
		return captable.AdjustConversion{ID: n.securities[o.text("stock_class_id")], Fraction: ratio, Date: o.day(), Source: o.source()}
	}
}

// findConversions finds the conversion target of each class: the target of its first right
// with a ratio. It breaks conversion cycles, which the cap table does not allow.
func (t *translation) findConversions() {
	t.converts = map[string]string{}
	for _, o := range t.objects {
		if o.Type != typeClass || o.refused {
			continue
		}
		for _, right := range conversions(o) {
			_, hasRatio := ratioIn(right)
			if target := textIn(right, "converts_to_stock_class_id"); hasRatio && t.converts[o.ID] == "" {
				t.converts[o.ID] = target
				continue
			}
			t.findings.warn(
				o, "/conversion_rights", codeConversion,
				"A class converts by one ratio into one other class: this right is kept, and not used.",
			)
		}
	}
	const open, done = 1, 2
	state := map[string]int{}
	for _, o := range t.objects {
		var path []string
		at := o.ID
		for o.Type == typeClass && at != "" && state[at] == 0 {
			state[at] = open
			path = append(path, at)
			at = t.converts[at]
		}
		if len(path) > 0 && state[at] == open {
			t.findings.warn(
				o, "/conversion_rights", codeConversion,
				"The classes convert into one another in a circle: this right is kept, and not used.",
			)
			delete(t.converts, path[len(path)-1])
		}
		for _, id := range path {
			state[id] = done
		}
	}
}
