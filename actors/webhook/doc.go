// Package webhook sends the events of organizations to the addresses that they registered.
//
// Each webhook is an instance of [Consumer] with its own cursor, so that an address that does not answer delays neither other
// addresses nor writes. event.go translates rows of the journal to events, sign.go signs them, guard.go refuses addresses of
// the private network, deliver.go sends, consumer.go schedules, and engine.go has the operations of users.
//
// A failed event is stored with its body and sent again by the schedule, while later events are sent. While an address accepts
// nothing, new events stay in the journal: only the cursor is behind.
package webhook
