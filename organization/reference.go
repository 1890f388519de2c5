package organization

import (
	"slices"

	"equity/captable"
	"equity/organization/document"
)

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
	KindWebhook         = "webhook"
	KindSync            = "syncConfiguration"
	KindDrive           = "driveConnection"
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

// References returns the records that the event affects, each once, including deleted ones. The result is the same for every
// later state of the organization, so that the past can be read with the present state.
func References(event Event, s *State) []Reference {
	var all []Reference
	add := func(kind string, id [16]byte) {
		if !slices.ContainsFunc(all, func(r Reference) bool { return r.Kind == kind && r.ID == id }) {
			all = append(all, Reference{Kind: kind, ID: id})
		}
	}
	namedRecords(event, s, add)
	for _, record := range event.Records(s) {
		if outside, is := record.(*document.Outside); is {
			all = append(all, Reference{Kind: KindDocument, ID: outside.ID, Outside: true})
			continue
		}
		if kind, id := identify(record, s.ID()); kind != "" {
			add(kind, id)
		}
	}
	for _, created := range event.Creates() {
		add(created.Kind, created.ID)
	}
	return all
}

// namedRecords adds the records that a later state may lack, because they can be deleted.
func namedRecords(event Event, s *State, add func(kind string, id [16]byte)) {
	switch e := event.(type) {
	case Created, Changed, ChatTeamLinked:
		add(KindOrganization, s.ID())
	case RoleChanged:
		add(KindRole, e.ID)
	case RoleDeleted:
		add(KindRole, e.ID)
	case WebhookChanged:
		add(KindWebhook, e.ID)
	case WebhookDisabled:
		add(KindWebhook, e.ID)
	case WebhookDeleted:
		add(KindWebhook, e.ID)
	case SyncChanged:
		add(KindSync, e.ID)
	case SyncRemoved:
		add(KindSync, e.ID)
	case DriveDisconnected:
		add(KindDrive, e.ID)
	case HookTokenRevoked:
		add(KindHookToken, e.ID)
	case SubscriptionChanged:
		add(KindSubscription, e.ID)
	case PaymentSucceeded:
		add(KindInvoice, e.Invoice)
	case PaymentFailed:
		add(KindInvoice, e.Invoice)
	case TableEvent:
		namedTableRecords(e.Event, add)
	}
}

func namedTableRecords(event captable.Event, add func(kind string, id [16]byte)) {
	switch e := event.(type) {
	case captable.SecurityChanged:
		add(KindSecurity, e.ID)
	case captable.SecurityDeleted:
		add(KindSecurity, e.ID)
	case captable.SharesAuthorized:
		add(KindSecurity, e.ID)
	case captable.ConversionAdjusted:
		add(KindSecurity, e.ID)
	case captable.LegendChanged:
		add(KindLegend, e.ID)
	case captable.LegendDeleted:
		add(KindLegend, e.ID)
	case captable.BlockChanged:
		add(KindBlock, e.ID)
	case captable.BlockDeleted:
		add(KindBlock, e.ID)
	case captable.PlanChanged:
		add(KindPlan, e.ID)
	case captable.PlanDeleted:
		add(KindPlan, e.ID)
	case captable.PoolAdjusted:
		add(KindPlan, e.Plan)
	case captable.VestingScheduleSuperseded:
		add(KindVestingSchedule, e.ID)
		add(KindVestingSchedule, e.Old)
	case captable.VestingScheduleDeleted:
		add(KindVestingSchedule, e.ID)
	}
}

// ReferenceTo returns the reference to a record of the organization; false for an unknown kind.
func ReferenceTo(record any, organization ID) (Reference, bool) {
	switch r := record.(type) {
	case ID:
		return Reference{Kind: KindOrganization, ID: r}, true
	case *Subscription:
		return Reference{Kind: KindSubscription, ID: r.ID}, true
	case *Payment:
		return Reference{Kind: KindInvoice, ID: r.Invoice}, true
	case *document.Outside:
		return Reference{Kind: KindDocument, ID: r.ID, Outside: true}, true
	}
	kind, id := identify(record, organization)
	return Reference{Kind: kind, ID: id}, kind != ""
}

// identify returns the kind and the id of a record; an empty kind for an unknown one.
func identify(record any, organization ID) (kind string, id [16]byte) {
	switch r := record.(type) {
	case *captable.Security:
		return KindSecurity, r.ID
	case *captable.Legend:
		return KindLegend, r.ID
	case *captable.Shareholding:
		return KindShareholding, r.ID
	case *captable.Grant:
		return KindHolding, r.ID
	case *captable.Instrument:
		return KindHolding, r.ID
	case *captable.Valuation:
		return KindValuation, r.ID
	case *captable.CapitalChange:
		return KindCapitalChange, r.ID
	case *captable.Block:
		return KindBlock, r.ID
	case *captable.Plan:
		return KindPlan, r.ID
	case *captable.VestingSchedule:
		return KindVestingSchedule, r.ID
	case captable.Configuration:
		return KindShareholdingConfig, organization
	case *Member:
		return KindMember, r.ID
	case *Role:
		return KindRole, r.ID
	case *document.Item:
		return KindDocument, r.ID
	case *document.File:
		return KindFile, r.ID
	case *document.Share:
		return KindDocumentShare, r.ID
	case *Webhook:
		return KindWebhook, r.ID
	case *SyncConfiguration:
		return KindSync, r.ID
	case *DriveConnection:
		return KindDrive, r.ID
	}
	return "", [16]byte{}
}
