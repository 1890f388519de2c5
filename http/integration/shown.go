package integration

import (
	"equity/http/api"
	"equity/organization"
)

// Show returns the JSON form of a webhook without its deliveries; false for other records. The address may contain a secret, so it is
// included only for callers with editOrganizationDetails.
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
