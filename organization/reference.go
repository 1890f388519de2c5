package organization

import "equity/captable"

// Reference identifies a record of an organization by kind and id.
type Reference struct {
	Kind string
	ID   [16]byte
	// Outside reports that the record is a document of another storage.
	Outside bool
}

// The kinds of records in references. Kinds that are created with an event have the same name there.
const (
	KindOrganization    = "organization"
	KindMember          = "member"
	KindRole            = "role"
	KindSecurity        = "security"
	KindLegend          = "legend"
	KindShareholding    = "shareholding"
	KindHolding         = "holding" // options, convertibles and warrants
	KindValuation       = "valuation"
	KindCapitalChange   = "capitalChange"
	KindBlock           = "block"
	KindPlan            = "plan"
	KindVestingSchedule = "vestingSchedule"
	KindDocument        = "document" // folders and documents
	KindFile            = "file"
	KindDocumentShare   = "documentShare"
	KindHookToken       = "hookToken"
	KindSubscription    = "subscription"
	KindInvoice         = "invoice"
	// KindShareholdingConfig is the configuration of shareholdings. Its id is that of the organization.
	KindShareholdingConfig = "shareholdingConfig"
)

// Affecting is an event that names affected records which a later state may lack, because they can be deleted.
type Affecting interface {
	Affects(s *State) []Reference
}

// affected returns the reference to one record.
func affected(kind string, id [16]byte) []Reference { return []Reference{{Kind: kind, ID: id}} }

// Affects returns the records of the cap table that can be deleted, or that the event only names.
func (e TableEvent) Affects(*State) []Reference {
	switch e := e.Event.(type) {
	case captable.SecurityChanged:
		return affected(KindSecurity, e.ID)
	case captable.SecurityDeleted:
		return affected(KindSecurity, e.ID)
	case captable.SharesAuthorized:
		return affected(KindSecurity, e.ID)
	case captable.ConversionAdjusted:
		return affected(KindSecurity, e.ID)
	case captable.LegendChanged:
		return affected(KindLegend, e.ID)
	case captable.LegendDeleted:
		return affected(KindLegend, e.ID)
	case captable.BlockChanged:
		return affected(KindBlock, e.ID)
	case captable.BlockDeleted:
		return affected(KindBlock, e.ID)
	case captable.PlanChanged:
		return affected(KindPlan, e.ID)
	case captable.PlanDeleted:
		return affected(KindPlan, e.ID)
	case captable.PoolAdjusted:
		return affected(KindPlan, e.Plan)
	case captable.VestingScheduleSuperseded:
		return []Reference{{Kind: KindVestingSchedule, ID: e.ID}, {Kind: KindVestingSchedule, ID: e.Old}}
	case captable.VestingScheduleDeleted:
		return affected(KindVestingSchedule, e.ID)
	}
	return nil
}
