package organization_test

import (
	"fmt"
	"slices"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

// The records of the author, whose entity has the id of the owner, and of another holder.
const (
	ownID    = "00000000-0000-0000-0000-0000000000a1"
	othersID = "00000000-0000-0000-0000-0000000000b1"
	ownerID  = "00000000-0000-0000-0000-00000000000a"
	bobID    = "00000000-0000-0000-0000-00000000000b"
)

// equityOfTwo returns an organization in which the owner and Bob have shares, a grant and a note, with equal ids for all three.
func equityOfTwo(t *testing.T) *bundle {
	t.Helper()
	b := founded(t)
	b.add(bob, "Bob", organization.RoleManager)
	class := b.table(captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true},
	}})[0].(captable.SecurityCreated).ID
	for id, entity := range map[string]string{ownID: ownerID, othersID: bobID} {
		for kind, payload := range map[string]string{
			"shareholdingIssued": `{"id":%q,"entity":%q,"security":%q,"shares":"10","issueDate":"2025-01-01","serialNumber":1,"certificate":"C"}`,
			"optionGranted":      `{"id":%q,"entity":%q,"security":%q,"quantity":"10","grantDate":"2025-01-01"}`,
			"holdingIssued":      `{"id":%q,"entity":%q,"security":%q,"kind":"safe","issueDate":"2025-01-01","principal":{"amount":"5","currency":"USD"}}`,
		} {
			b.apply([]organization.Event{decoded(t, kind, fmt.Sprintf(payload, id, entity, class.String()))})
		}
	}
	return b
}

func decoded(t *testing.T, kind, payload string) organization.Event {
	t.Helper()
	event, err := organization.NewSchema().Decode(kind, []byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// gainful are events by which their author, the owner, gains, by kind.
func gainful() map[string]string {
	own, from := `{"id":"`+ownID+`"}`, `{"from":["`+ownID+`"],"kind":"%s","price":"1","results":[{"entity":"`+ownerID+`"}]}`
	issued := `{"entity":"` + ownerID + `"}`
	received := `{"from":["` + othersID + `"],"kind":"%s","results":[{"entity":"` + ownerID + `"}]}`
	return map[string]string{
		"shareholdingIssued": issued, "shareholdingCorrected": issued, "shareholdingAmended": own,
		"shareholdingTransferred": fmt.Sprintf(received, "transferred"), "shareholdingRepurchased": fmt.Sprintf(from, "repurchased"),
		"shareholdingConverted": fmt.Sprintf(from, "converted"), "shareholdingReissued": fmt.Sprintf(received, "reissued"),
		"shareholdingConsolidated": fmt.Sprintf(received, "consolidated"),
		"optionGranted":            issued, "optionCorrected": issued, "optionRepriced": own, "optionVestingChanged": own,
		"optionExercised": `{"id":"` + ownID + `","taking":{"kind":"exercised"}}`, "optionReleased": `{"id":"` + ownID + `","taking":{"kind":"released"}}`,
		"holdingIssued": issued, "holdingCorrected": issued, "holdingAmended": own, "holdingRepaid": own, "holdingConverted": own,
		"holdingExercised": own, "holdingTransferred": `{"id":"` + othersID + `","kind":"transferred","result":{"entity":"` + ownerID + `"}}`,
		"roleChanged": `{"terms":{"name":"Owner"}}`, "organizationChanged": `{"secondPersonEnds":true}`,
	}
}

// harmless are the other kinds of events, by which no author gains. A new kind belongs to one of both.
func harmless() []string {
	return []string{
		"accessChanged", "addressConfirmed", "blockChanged", "blockCreated", "blockDeleted", "capitalChangeAmended", "capitalChanged",
		"configurationChanged", "documentAdded", "documentDeleted", "documentMoved", "documentRestored",
		"documentVersioned", "fileErased", "fileScanned", "fileStored", "folderCreated",
		"holdingAccepted", "holdingCancelled", "holdingExpired", "holdingRetracted", "holdingVoided", "hookTokenCreated",
		"hookTokenRevoked", "invitationBounced", "invitationWithdrawn", "legendChanged", "legendCreated", "legendDeleted",
		"memberAdded", "memberClaimed", "memberDeclined", "memberInvited", "memberJoined", "memberReaddressed", "memberRemoved",
		"memberReturned", "objectCarried", "optionAccepted", "optionAmended", "optionCancelled", "optionExerciseDeclined",
		"optionExerciseRequested", "optionExpired", "optionRetracted", "optionTerminated", "optionVoided", "organizationCreated",
		"packageImported", "paymentFailed", "paymentSucceeded", "planChanged", "planCreated", "planDeleted", "poolAdjusted",
		"roleCreated", "roleDeleted", "securityChanged", "securityConversionAdjusted", "securityCreated", "securityDeleted",
		"securitySplit", "shareCreated", "shareRevoked", "shareholdingAccepted", "shareholdingCancelled", "shareholdingRetracted",
		"shareholdingVestingStopped", "shareholdingVoided", "sharesAuthorized", "subscriptionChanged", "valuationChanged", "valuationCreated", "vestingScheduleCreated", "vestingScheduleDeleted",
		"vestingScheduleSuperseded",
	}
}

func TestEveryEventIsClassifiedByTheGainOfItsAuthor(t *testing.T) {
	t.Parallel()
	b := equityOfTwo(t)
	author, gains := b.state.Author(owner), gainful()
	member := b.memberOf(owner).ID.String()
	gains["memberChanged"] = `{"id":"` + member + `","addedRoles":["Legal"]}`
	for _, kind := range organization.NewSchema().Types() {
		payload, gainful := gains[kind]
		if gainful == slices.Contains(harmless(), kind) {
			t.Errorf("%s must be either gainful or harmless", kind)
		}
		if gainful != organization.MayGain(kind) {
			t.Errorf("%s: MayGain is %t", kind, !gainful)
		}
		if gainful && !author.Gains(decoded(t, kind, payload)) {
			t.Errorf("%s %s is no gain", kind, payload)
		}
		if gainful && kind != "organizationChanged" && b.state.Author(cleo).Gains(decoded(t, kind, payload)) {
			t.Errorf("a stranger gains by %s", kind)
		}
		if author.Gains(decoded(t, kind, `{}`)) {
			t.Errorf("%s without content is a gain", kind)
		}
	}
}

func TestMoveBetweenOwnHoldingsIsNoGain(t *testing.T) {
	t.Parallel()
	b := equityOfTwo(t)
	own := `{"from":["` + ownID + `"],"kind":"reissued","results":[{"entity":"` + ownerID + `"}]}`
	if b.state.Author(owner).Gains(decoded(t, "shareholdingReissued", own)) {
		t.Error("a new certificate is a gain")
	}
	free := `{"from":["` + ownID + `"],"kind":"repurchased"}`
	if b.state.Author(owner).Gains(decoded(t, "shareholdingRepurchased", free)) {
		t.Error("a repurchase without a price is a gain")
	}
}

func TestSecondPersonRefusesOwnGains(t *testing.T) {
	t.Parallel()
	b := founded(t)
	b.add(bob, "Bob", organization.RoleManager)
	class := b.table(captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true},
	}})[0].(captable.SecurityCreated).ID
	issue := func(to organization.UserID) organization.Command {
		return organization.Table{Command: captable.IssueShareholding{
			HolderRef: captable.HolderRef{Entity: captable.EntityID(to)}, Security: class, Shares: exact.NewDecimal(1),
			IssueDate: exact.MustDate(today),
		}}
	}
	if err := b.by(bob, issue(bob)); err != nil {
		t.Error("before the setting:", err)
	}
	on, off := organization.Amend{Patch: []byte(`{"secondPerson":true}`)}, organization.Amend{Patch: []byte(`{"secondPerson":false}`)}
	if err := b.by(bob, on); !fault.Is(err, fault.Forbidden) {
		t.Error("a Manager changed the setting:", err)
	}
	b.as(owner, on)
	if err := b.by(bob, issue(bob)); !fault.Is(err, organization.CodeSecondPerson) {
		t.Error("own shares:", err)
	}
	if err := b.by(bob, issue(owner)); err != nil {
		t.Error("shares of somebody else:", err)
	}
	if err := b.by(bob, off); !fault.Is(err, fault.Forbidden) {
		t.Error("a Manager changed the setting:", err)
	}
	b.as(owner, organization.Amend{Patch: []byte(`{"legalName":"Acme Inc."}`)})
	ending, err := organization.Decide(b.state, off, organization.DecideContext{Now: b.now, By: owner, NewID: b.newID})
	if err != nil || !b.state.Author(owner).Gains(ending[0]) {
		t.Error("the end of the setting is not marked", err)
	}
}
