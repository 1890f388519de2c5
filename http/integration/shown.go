package integration

import "equity/organization"

// Show returns the JSON form of a webhook without its deliveries; false for other records.
func Show(webhook any) (shown any, known bool) {
	found, known := webhook.(*organization.Webhook)
	if !known {
		return nil, false
	}
	return show(found), true
}
