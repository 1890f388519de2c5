package ocf

import "strings"

// familyGrant is the family of options, stock units and stock appreciation rights.
const familyGrant = "EQUITY_COMPENSATION"

// familyStock is the family of shares.
const familyStock = "STOCK"

// findForeign finds the grants and instruments that are carried unchanged with all their
// transactions: grants without a known class, and instruments without a stated amount or
// outcome. A balance of a foreign security is foreign too.
func (t *translation) findForeign() {
	for _, o := range t.objects {
		family, effect := effectOf(o.Type)
		if family == familyGrant && effect == "ISSUANCE" && (inCash(o) || o.text("stock_plan_id") == "" && t.grantClass(o) == "") || isInstrument(family) && (foreignInstrument(o, family, effect) || t.becomesOther(o, family, effect)) {
			t.foreign[t.root(o.text("security_id"))] = true
		}
	}
	for _, o := range t.objects {
		switch family, effect := effectOf(o.Type); {
		case effect != "ISSUANCE" || !t.isForeign(o):
		case inCash(o):
			t.findings.warn(
				o, "/compensation_type", codeCarried, "The units are paid in cash: they are kept as they came, and not counted as shares.",
			)
		case family == familyGrant:
			t.findings.warn(o, "", codeCarried, "The grant is kept as it came, and not counted: it names neither a plan nor a stock class.")
		default:
			t.findings.warn(
				o, "", codeCarried,
				"It is kept as it came, and not counted: how much it is or costs is not stated, or not which one thing came of it.",
			)
		}
	}
}

// inCash reports whether a grant is settled in cash, so that no shares result from it.
func inCash(o *Object) bool { return o.text("compensation_type") == "CSAR" }

// becomesOther reports whether a convertible converts to anything but shares and a balance
// with a stated amount.
func (t *translation) becomesOther(o *Object, family, effect string) bool {
	if family != familyConvertible || effect != "CONVERSION" {
		return false
	}
	pointers, securities := outcome(o)
	for i, security := range securities {
		issuance := t.issued[security]
		if issuance == nil {
			continue // dangling: reported already
		}
		if made, issues := effectOf(issuance.Type); strings.HasPrefix(pointers[i], "/balance") {
			if foreignInstrument(issuance, made, issues) {
				return true
			}
		} else if made != familyStock {
			return true
		}
	}
	return false
}

// grantClass returns the class of a grant outside a plan: the named class, or the only common
// class of the package. Returns an empty string if there are several or none.
func (t *translation) grantClass(o *Object) string {
	if class := o.text("stock_class_id"); class != "" {
		return class
	}
	only := ""
	for _, class := range t.objects {
		switch {
		case class.Type != typeClass || class.text("class_type") != "COMMON":
		case only != "":
			return ""
		default:
			only = class.ID
		}
	}
	return only
}

// isGrantTransfer reports whether the transaction transfers a grant. Its results and balance
// are separate grants.
func isGrantTransfer(o *Object) bool {
	family, effect := effectOf(o.Type)
	return family == familyGrant && effect == "TRANSFER"
}

// root returns the security from which the given security originates by cancellations and
// transfers.
func (t *translation) root(security string) string {
	for range len(t.objects) {
		maker := t.madeBy[security]
		if maker == nil || isGrantTransfer(maker) {
			return security
		}
		if family, effect := effectOf(maker.Type); family == familyStock || effect != "CANCELLATION" && effect != "TRANSFER" {
			return security
		}
		security = maker.text("security_id")
	}
	return security
}

// isForeign reports whether the object concerns a carried grant or instrument.
func (t *translation) isForeign(o *Object) bool {
	family, _ := effectOf(o.Type)
	about := family == familyGrant || isInstrument(family) || o.Type == typeVestingEvent || o.Type == typeAcceleration
	return about && t.foreign[t.root(o.text("security_id"))]
}

// isOfGrant reports whether the object concerns a grant.
func (t *translation) isOfGrant(o *Object) bool { return t.familyOf(o) == familyGrant }

// familyOf returns the family of the object's security, or an empty string if it is unknown.
func (t *translation) familyOf(o *Object) string {
	issuance := t.issued[o.text("security_id")]
	if issuance == nil {
		return ""
	}
	family, _ := effectOf(issuance.Type)
	return family
}
