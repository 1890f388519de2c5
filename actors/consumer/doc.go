// Package consumer runs the consumers of organizations' journals: mail, webhooks and other effects on the outside world.
//
// A consumer handles the events of an organization in order and at least once. Its durable cursor moves after the effect,
// so that a crash between both repeats the effect. Each event has a stable id ([messages.EventID]), by which receivers
// recognize repetitions.
//
// An instance of a consumer is a child of the organization's actor. It exists only while work is pending. The organization
// starts it when it publishes a batch with wanted events, and hands over the batch, so that the child reads no row again. An
// instance that is behind reads the journal from its cursor.
//
// Pending work has an alarm in the store. The alarm is written in the transaction of the first pending event and removed
// when no work remains. Retries and schedules are alarms too, never timers. The [Clock] of each server claims due alarms and
// wakes the organization, also if it is not in memory.
//
// A call to a service runs in a goroutine beside the actor, with a context that ends with the actor. Its result returns as
// a message. A failed attempt is repeated with increasing delays and full jitter. After too many failures, or at an event that
// can never succeed, the instance stops in the state failed until a user retries or skips the event.
//
// The files: consumer.go declares a consumer, child.go is the actor, round.go its work outside the actor, retry.go the delays,
// breaker.go and transport.go the circuit breakers, clock.go the alarms, stats.go the metrics.
package consumer
