package ocf

import "equity/captable"

type (
	// transactionObject is what every transaction about a security says.
	transactionObject struct {
		ID       string        `json:"id"`
		Type     string        `json:"object_type"`
		Date     captable.Date `json:"date"`
		Security string        `json:"security_id"`
	}
	// issuedObject is what every issuance says, whatever it issues.
	issuedObject struct {
		transactionObject
		Custom      string        `json:"custom_id"`
		Stakeholder string        `json:"stakeholder_id"`
		Board       captable.Date `json:"board_approval_date,omitzero"`
		Exemptions  []string      `json:"security_law_exemptions"`
		Comments    []string      `json:"comments,omitempty"`
	}
)

// issuedAs begins an issuance to somebody. Its number is the id of what it issues, but
// for shares, which have certificates.
func (x *Exporter) issuedAs(object transactionObject, to captable.EntityID) issuedObject {
	return issuedObject{transactionObject: object, Custom: object.Security, Stakeholder: x.stakeholder(to), Exemptions: []string{}}
}

func (x *Exporter) stakeholder(entity captable.EntityID) string {
	if who := x.holders[entity]; who != nil {
		return who.id
	}
	return ""
}
