package captable

import "strings"

// EventType returns the name of the event in the journal.
func (SecurityCreated) EventType() string { return "securityCreated" }

// EventType returns the name of the event in the journal.
func (SecurityChanged) EventType() string { return "securityChanged" }

// EventType returns the name of the event in the journal.
func (SecurityDeleted) EventType() string { return "securityDeleted" }

// EventType returns the name of the event in the journal.
func (SharesAuthorized) EventType() string { return "sharesAuthorized" }

// EventType returns the name of the event in the journal.
func (SecuritySplit) EventType() string { return "securitySplit" }

// EventType returns the name of the event in the journal.
func (LegendCreated) EventType() string { return "legendCreated" }

// EventType returns the name of the event in the journal.
func (LegendChanged) EventType() string { return "legendChanged" }

// EventType returns the name of the event in the journal.
func (LegendDeleted) EventType() string { return "legendDeleted" }

// EventType returns the name of the event in the journal.
func (ShareholdingIssued) EventType() string { return "shareholdingIssued" }

// EventType returns the name of the event in the journal.
func (ShareholdingAccepted) EventType() string { return "shareholdingAccepted" }

// EventType returns the name of the event in the journal.
func (ShareholdingAmended) EventType() string { return "shareholdingAmended" }

// EventType returns the name of the event in the journal.
func (ShareholdingCorrected) EventType() string { return "shareholdingCorrected" }

// EventType returns the name of the event in the journal.
func (ShareholdingVoided) EventType() string { return "shareholdingVoided" }

// EventType returns the name of the event in the journal.
func (ConfigurationChanged) EventType() string { return "configurationChanged" }

// EventType returns the name of the event in the journal.
func (PackageImported) EventType() string { return "packageImported" }

// EventType returns the name of the event in the journal.
func (ObjectCarried) EventType() string { return "objectCarried" }

// EventType returns the name of the event in the journal.
func (ValuationCreated) EventType() string { return "valuationCreated" }

// EventType returns the name of the event in the journal.
func (ValuationChanged) EventType() string { return "valuationChanged" }

// EventType returns the name of the event in the journal.
func (CapitalChanged) EventType() string { return "capitalChanged" }

// EventType returns the name of the event in the journal.
func (CapitalChangeAmended) EventType() string { return "capitalChangeAmended" }

// EventType returns the name of the event in the journal.
func (BlockCreated) EventType() string { return "blockCreated" }

// EventType returns the name of the event in the journal.
func (BlockChanged) EventType() string { return "blockChanged" }

// EventType returns the name of the event in the journal.
func (BlockDeleted) EventType() string { return "blockDeleted" }

// EventType returns the name of the event in the journal.
func (PlanCreated) EventType() string { return "planCreated" }

// EventType returns the name of the event in the journal.
func (PlanChanged) EventType() string { return "planChanged" }

// EventType returns the name of the event in the journal.
func (PlanDeleted) EventType() string { return "planDeleted" }

// EventType returns the name of the event in the journal.
func (VestingScheduleCreated) EventType() string { return "vestingScheduleCreated" }

// EventType returns the name of the event in the journal.
func (VestingScheduleSuperseded) EventType() string { return "vestingScheduleSuperseded" }

// EventType returns the name of the event in the journal.
func (VestingScheduleDeleted) EventType() string { return "vestingScheduleDeleted" }

// EventType returns the name of the event in the journal.
func (PoolAdjusted) EventType() string { return "poolAdjusted" }

// EventType returns the name of the event in the journal, which follows from the kind, such as
// shareholdingTransferred.
func (e Ending) EventType() string {
	if e.Kind == "" {
		return "shareholdingEnded"
	}
	return "shareholding" + strings.ToUpper(string(e.Kind[:1])) + string(e.Kind[1:])
}
