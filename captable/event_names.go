package captable

import "strings"

// EventType names the event in the journal.
func (SecurityCreated) EventType() string { return "securityCreated" }

// EventType names the event in the journal.
func (SecurityChanged) EventType() string { return "securityChanged" }

// EventType names the event in the journal.
func (SecurityDeleted) EventType() string { return "securityDeleted" }

// EventType names the event in the journal.
func (SharesAuthorized) EventType() string { return "sharesAuthorized" }

// EventType names the event in the journal.
func (SecuritySplit) EventType() string { return "securitySplit" }

// EventType names the event in the journal.
func (LegendCreated) EventType() string { return "legendCreated" }

// EventType names the event in the journal.
func (LegendChanged) EventType() string { return "legendChanged" }

// EventType names the event in the journal.
func (LegendDeleted) EventType() string { return "legendDeleted" }

// EventType names the event in the journal.
func (ShareholdingIssued) EventType() string { return "shareholdingIssued" }

// EventType names the event in the journal.
func (ShareholdingAccepted) EventType() string { return "shareholdingAccepted" }

// EventType names the event in the journal.
func (ShareholdingAmended) EventType() string { return "shareholdingAmended" }

// EventType names the event in the journal.
func (ShareholdingCorrected) EventType() string { return "shareholdingCorrected" }

// EventType names the event in the journal.
func (ShareholdingVoided) EventType() string { return "shareholdingVoided" }

// EventType names the event in the journal.
func (ConfigurationChanged) EventType() string { return "configurationChanged" }

// EventType names the event in the journal.
func (PackageImported) EventType() string { return "packageImported" }

// EventType names the event in the journal.
func (ObjectCarried) EventType() string { return "objectCarried" }

// EventType names the event in the journal.
func (ValuationCreated) EventType() string { return "valuationCreated" }

// EventType names the event in the journal.
func (ValuationChanged) EventType() string { return "valuationChanged" }

// EventType names the event in the journal.
func (CapitalChanged) EventType() string { return "capitalChanged" }

// EventType names the event in the journal.
func (CapitalChangeAmended) EventType() string { return "capitalChangeAmended" }

// EventType names the event in the journal.
func (BlockCreated) EventType() string { return "blockCreated" }

// EventType names the event in the journal.
func (BlockChanged) EventType() string { return "blockChanged" }

// EventType names the event in the journal.
func (BlockDeleted) EventType() string { return "blockDeleted" }

// EventType names the event in the journal.
func (PlanCreated) EventType() string { return "planCreated" }

// EventType names the event in the journal.
func (PlanChanged) EventType() string { return "planChanged" }

// EventType names the event in the journal.
func (PlanDeleted) EventType() string { return "planDeleted" }

// EventType names the event in the journal.
func (VestingScheduleCreated) EventType() string { return "vestingScheduleCreated" }

// EventType names the event in the journal.
func (VestingScheduleSuperseded) EventType() string { return "vestingScheduleSuperseded" }

// EventType names the event in the journal.
func (VestingScheduleDeleted) EventType() string { return "vestingScheduleDeleted" }

// EventType names the event in the journal.
func (PoolAdjusted) EventType() string { return "poolAdjusted" }

// EventType names the event after how the shares ended: shareholdingTransferred, ….
func (e Ending) EventType() string {
	if e.Kind == "" {
		return "shareholdingEnded"
	}
	return "shareholding" + strings.ToUpper(string(e.Kind[:1])) + string(e.Kind[1:])
}
