package organization

import (
	"iter"
	"strconv"

	"equity/captable"
	"equity/fault"
	"equity/organization/document"
)

// FileUse is a field of a record outside of the data room that names a file.
type FileUse struct {
	Kind FileUseKind
	// Plan, Grant and Valuation are the record, if it is one of these.
	Plan      captable.PlanID
	Grant     captable.GrantID
	Valuation captable.ValuationID
	// Record describes the record in messages.
	Record string
	// Pointer is the path of the field in the body of a request.
	Pointer string
	File    string
}

// FileUseKind is the kind of a record that names a file.
type FileUseKind int

// The kinds of records that name files.
const (
	UsedAsLogo FileUseKind = iota
	UsedByPlan
	UsedByGrant
	UsedByValuation
	UsedAsOperatingAgreement
)

// FileUses returns the uses of all files by records outside of the data room.
func (s *State) FileUses() iter.Seq[FileUse] {
	return func(yield func(FileUse) bool) {
		uses := logoUse(s.profile)
		uses = append(uses, agreementUse(s.table.Configuration())...)
		for plan := range s.table.Plans() {
			uses = append(uses, planUses(plan.ID, plan.PlanDetails)...)
		}
		for valuation := range s.table.Valuations() {
			uses = append(uses, valuationUse(valuation.ID, valuation.ValuationTerms)...)
		}
		for _, use := range uses {
			if !yield(use) {
				return
			}
		}
		for grant := range s.table.Grants() {
			for _, use := range grantUse(grant.ID, grant.GrantDetails) {
				if !yield(use) {
					return
				}
			}
		}
	}
}

func logoUse(p Profile) []FileUse {
	return filed(FileUse{Kind: UsedAsLogo, Record: "the logo", Pointer: "/logo", File: p.Logo})
}

func agreementUse(c captable.Configuration) []FileUse {
	if c.OperatingAgreement == nil {
		return nil
	}
	present := FileUse{
		Kind: UsedAsOperatingAgreement, Record: "the operating agreement", Pointer: "/operatingAgreement/file",
		File: c.OperatingAgreement.File,
	}
	previous := FileUse{
		Kind: UsedAsOperatingAgreement, Record: "the previous operating agreement", Pointer: "/operatingAgreement/previous",
		File: c.OperatingAgreement.Previous,
	}
	return append(filed(present), filed(previous)...)
}

func planUses(id captable.PlanID, terms captable.PlanDetails) (uses []FileUse) {
	for i, document := range terms.Documents {
		uses = append(uses, filed(FileUse{
			Kind: UsedByPlan, Plan: id, Record: "the plan " + terms.Name, Pointer: "/documents/" + strconv.Itoa(i) + "/file",
			File: document.File,
		})...)
	}
	return uses
}

func valuationUse(id captable.ValuationID, terms captable.ValuationTerms) []FileUse {
	return filed(FileUse{
		Kind: UsedByValuation, Valuation: id, Record: "the valuation of " + terms.EffectiveDate.String(), Pointer: "/document",
		File: terms.Document,
	})
}

func grantUse(id captable.GrantID, details captable.GrantDetails) []FileUse {
	return filed(FileUse{Kind: UsedByGrant, Grant: id, Record: "the option " + id.String(), Pointer: "/agreement", File: details.Agreement})
}

// filed returns the use, or nil if the field is empty.
func filed(use FileUse) []FileUse {
	if use.File == "" {
		return nil
	}
	return []FileUse{use}
}

// usesIn returns the files that an event names.
func usesIn(event Event) []FileUse {
	switch e := event.(type) {
	case Created:
		return logoUse(e.Profile)
	case Changed:
		return logoUse(e.Profile)
	case TableEvent:
		switch e := e.Event.(type) {
		case captable.ConfigurationChanged:
			return agreementUse(e.Configuration)
		case captable.PlanCreated:
			return planUses(e.ID, e.Terms.PlanDetails)
		case captable.PlanChanged:
			return planUses(e.ID, e.Terms.PlanDetails)
		case captable.ValuationCreated:
			return valuationUse(e.ID, e.Terms)
		case captable.ValuationChanged:
			return valuationUse(e.ID, e.Terms)
		case captable.OptionGranted:
			return grantUse(e.ID, e.GrantDetails)
		case captable.OptionCorrected:
			return grantUse(e.ID, e.GrantDetails)
		case captable.OptionAmended:
			return grantUse(e.ID, e.Details)
		}
	}
	return nil
}

// checkFiles refuses events that name a file which the author may not read, or which does not exist, or a logo that is no picture. A record
// keeps the files that it names already: earlier versions did not check them, and another author named them.
func (s *State) checkFiles(events []Event, files *Files) error {
	var faults fault.Fields
	var known map[FileUse]bool
	for _, event := range events {
		for _, use := range usesIn(event) {
			found := s.usable(use.File)
			if found != nil && !files.opens(found.ID) {
				found = nil
			}
			if found != nil && (use.Kind != UsedAsLogo || found.IsPicture()) {
				continue
			}
			if known == nil {
				known = map[FileUse]bool{}
				for earlier := range s.FileUses() {
					known[earlier.field()] = true
				}
			}
			switch {
			case known[use.field()]:
			case found == nil:
				faults.Add(use.Pointer, "unknownReference", "There is no such file. Upload it first.")
			default:
				faults.Add(use.Pointer, "mediaType", "The logo must be a PNG, JPEG, GIF or WebP file.")
			}
		}
	}
	return faults.Err()
}

// field identifies the record with the file, regardless of its name and of the position of the file.
func (u FileUse) field() FileUse {
	return FileUse{Kind: u.Kind, Plan: u.Plan, Grant: u.Grant, Valuation: u.Valuation, File: u.File}
}

// usable returns the file with the id in the text, if it has bytes and is not in the trash; otherwise nil.
func (s *State) usable(text string) *document.File {
	id, err := captable.ParseID[document.File](text)
	if err != nil || !s.documents.Usable(id) {
		return nil
	}
	file, _ := s.documents.File(id)
	return file
}

// fileReferences returns a function that returns the records which name a file. The first call reads all records.
func (s *State) fileReferences() func(document.FileID) []string {
	var records map[string][]string
	return func(id document.FileID) []string {
		if records == nil {
			records = map[string][]string{}
			for use := range s.FileUses() {
				records[use.File] = append(records[use.File], use.Record)
			}
		}
		return records[id.String()]
	}
}
