package ocf

import "equity/captable"

type (
	// transactionObject holds the common fields of transactions on a security.
	transactionObject struct {
		ID       string        `json:"id"`
		Type     string        `json:"object_type"`
		Date     captable.Date `json:"date"`
		Security string        `json:"security_id"`
	}
	// issuedObject holds the common fields of all issuances.
	issuedObject struct {
		transactionObject
		Custom      string        `json:"custom_id"`
		Stakeholder string        `json:"stakeholder_id"`
		Board       captable.Date `json:"board_approval_date,omitzero"`
		Exemptions  []string      `json:"security_law_exemptions"`
		Comments    []string      `json:"comments,omitempty"`
	}
)

// issuedAs creates the common fields of an issuance. The custom_id is the security_id, except
// for shares, which have certificate numbers.
func (x *Exporter) issuedAs(object transactionObject, to captable.EntityID) issuedObject {
	return issuedObject{transactionObject: object, Custom: object.Security, Stakeholder: x.stakeholder(to), Exemptions: []string{}}
}

func (x *Exporter) stakeholder(entity captable.EntityID) string {
	if who := x.holders[entity]; who != nil {
		return who.id
	}
	return ""
}
