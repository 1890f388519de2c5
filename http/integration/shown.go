package integration

import (
	"equity/http/api"
	"equity/organization"
)

// Show returns the JSON form of a webhook without its deliveries; false for other records. Its address may contain a secret, and is for callers
// who may change it.
func Show(c *api.Call, webhook any) (shown any, known bool) {
	found, known := webhook.(*organization.Webhook)
	if !known {
		return nil, false
	}
	record := show(found)
	if !c.Can(organization.EditOrganizationDetails) {
		record.URL, record.Description, record.DisabledReason = "", "", ""
	}
	return record, true
}
