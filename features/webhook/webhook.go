// Package webhook sends the events of organizations to the addresses that they registered.
//
// Its data: webhooks are records of the organization (package endpoint), which the journal keeps. Their secrets are sealed values. The
// table webhook_delivery has the deliveries of 30 days (store.go), with the body while an attempt is scheduled.
//
// From request to effect: a user creates a webhook (handlers.go) with a command of package endpoint and a new secret (engine.go,
// secret.go). Each webhook is an instance of [Consumer] with its own cursor (consumer.go), so that an address that does not answer delays
// neither other addresses nor writes. For each event of the journal that it selects (types.go), translate.go makes the messages with the
// records that its author may read (audience.go), as the API shows them. deliver.go sends them: sign.go signs, and guard.go refuses
// addresses of the private network. Attempts that outlast their round end in flight.go. Users list, test and repeat deliveries
// (delivery_handlers.go).
//
// A failed message is stored with its body and sent again by the schedule, while later events are sent. While an address accepts nothing,
// new events stay in the journal: only the cursor is behind. rearm.go repairs alarms that a failed server has lost.
package webhook
