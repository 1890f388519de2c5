// Package billing keeps organizations and the billing provider Stripe in step.
//
// The provider is the authority on subscriptions. Each received event only requests to query the provider again, so that the
// order, repetition and loss of events do not matter. The journal records differences.
//
// client.go calls the provider, catalog.go caches its products, observe.go translates its records, subscription.go records
// differences, consumer.go is the consumer that sends counts and looks at received events, dunning.go reminds owners of unpaid
// invoices, receive.go checks and stores events, courier.go assigns them to organizations, and engine.go has the operations of users.
package billing
