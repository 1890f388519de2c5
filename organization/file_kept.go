package organization

import (
	"slices"

	"equity/captable"
)

// keepHiddenFiles adds to the events the files that their records name already and that the author does not see: the author cannot repeat
// them in a replacement.
func (s *State) keepHiddenFiles(events []Event, files *Files) {
	for i, event := range events {
		switch e := event.(type) {
		case Changed:
			e.Profile.Logo = files.kept(s.profile.Logo, e.Profile.Logo)
			events[i] = e
		case TableEvent:
			e.Event = s.keptFiles(e.Event, files)
			events[i] = e
		}
	}
}

func (s *State) keptFiles(event captable.Event, files *Files) captable.Event {
	switch e := event.(type) {
	case captable.ConfigurationChanged:
		if agreement := s.table.Configuration().OperatingAgreement; agreement != nil {
			e.OperatingAgreement = files.keptAgreement(*agreement, e.OperatingAgreement)
		}
		return e
	case captable.PlanChanged:
		if plan, ok := s.table.Plan(e.ID); ok {
			e.Terms.Documents = files.keptDocuments(plan.Documents, e.Terms.Documents)
		}
		return e
	case captable.ValuationChanged:
		if valuation, ok := s.table.Valuation(e.ID); ok {
			e.Terms.Document = files.kept(valuation.Document, e.Terms.Document)
		}
		return e
	case captable.OptionAmended:
		if grant, ok := s.table.Grant(e.ID); ok {
			e.Details.Agreement = files.kept(grant.Agreement, e.Details.Agreement)
		}
		return e
	case captable.OptionCorrected:
		if grant, ok := s.table.Grant(e.ID); ok {
			e.Agreement = files.kept(grant.Agreement, e.Agreement)
		}
		return e
	}
	return event
}

// kept returns the new file of a record, or the old one if there is no new one and the reader does not see the old one.
func (f *Files) kept(old, next string) string {
	if next == "" && !f.Shows(old) {
		return old
	}
	return next
}

func (f *Files) keptAgreement(old captable.OperatingAgreement, next *captable.OperatingAgreement) *captable.OperatingAgreement {
	kept := captable.OperatingAgreement{}
	if next != nil {
		kept = *next
	}
	for _, file := range []struct{ old, next *string }{{&old.File, &kept.File}, {&old.Previous, &kept.Previous}} {
		if *file.next == "" && !f.ShowsAgreement(*file.old) {
			*file.next = *file.old
		}
	}
	if next == nil && kept.File == "" && kept.Previous == "" {
		return nil
	}
	return &kept
}

func (f *Files) keptDocuments(old, next []captable.PlanDocument) []captable.PlanDocument {
	for _, each := range old {
		if !f.Shows(each.File) && !slices.Contains(next, each) {
			next = append(slices.Clip(next), each)
		}
	}
	return next
}
