package member

import (
	"context"
	"encoding/json"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// OfficeSuite stores documents of organizations.
type OfficeSuite interface {
	// List returns the items of a folder. The zero id is the folder of the organization.
	List(ctx context.Context, in organization.ID, folder document.ItemID) ([]messages.OfficeItem, error)
}

// checkStorage refuses an office suite that the server does not have, and another storage while the office suite holds documents. The
// command checks the data room itself.
func (s organizations) checkStorage(ctx context.Context, c *api.Call) error {
	var given struct {
		Storage json.RawMessage `json:"storage"`
	}
	_ = json.Unmarshal(c.Body, &given) // the command reports faults of the body
	if given.Storage == nil {
		return nil
	}
	toSuite := string(given.Storage) == `"`+string(document.OfficeSuite)+`"`
	fromSuite := c.Present != nil && c.Present.State.InOfficeSuite()
	if toSuite && s.OfficeSuite == nil {
		return api.WrongField("/storage", "notConfigured",
			"The server has no office suite. Choose dataRoom, or set OFFICE_SUITE_TENANT_ID.")
	}
	if toSuite || !fromSuite || s.OfficeSuite == nil {
		return nil
	}
	found, err := s.OfficeSuite.List(ctx, c.Organization, document.ItemID{})
	if err == nil && len(found) > 0 {
		err = fault.Refuse(organization.CodeStorage, "The storage cannot change while it holds documents.")
	}
	return err
}
