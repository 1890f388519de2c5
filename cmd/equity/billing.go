package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"equity/actors/billing"
	"equity/actors/consumer"
	httpbilling "equity/http/billing"
	"equity/organization"
	"equity/persistence"
)

// billingParts are the parts of billing.
type billingParts struct {
	consumer *billing.Consumer
	client   *billing.Client
	waker    *billing.Waker
	courier  *billing.Courier
	receiver *billing.Receiver
}

// openBilling creates the parts of billing if a key of the provider is set.
func (a *assembly) openBilling(p program, breakers *consumer.Breakers) error {
	if a.config.BillingSecretKey == "" {
		return nil
	}
	client, err := billing.NewClient(a.config.BillingSecretKey.Reveal(), a.config.BillingURL, breakers, p.now)
	if err != nil {
		return err
	}
	inbox := persistence.NewBillingInbox(a.db)
	charges := billing.NewConsumer(billing.Options{
		Client: client, Store: persistence.NewBilling(a.db), Inbox: inbox, Owners: owners{a, p.now},
		Organizations: func() billing.Organizations { return a.organizations },
		Grace:         time.Duration(a.config.BillingGraceDays) * 24 * time.Hour, Now: p.now,
	})
	waker := billing.NewWaker(
		persistence.NewConsumers(a.db), func(id organization.ID, name string) { a.organizations.Wake(id, name) }, p.now,
	)
	courier := billing.NewCourier(inbox, waker, a.log)
	secrets := make([]string, 0, len(a.config.BillingWebhookSecrets))
	for _, secret := range a.config.BillingWebhookSecrets {
		secrets = append(secrets, secret.Reveal())
	}
	a.billing = &billingParts{charges, client, waker, courier, billing.NewReceiver(secrets, client, inbox, courier.Knock, p.now)}
	return nil
}

// startLimits returns the limits of the smallest plan, or nil if billing is off.
func (a *assembly) startLimits() func() organization.PlanLimits {
	if a.billing == nil {
		return nil
	}
	return a.billing.consumer.StartLimits
}

// startBilling starts the courier of received events, and reads the plans beside the start.
func (a *assembly) startBilling(ctx context.Context) {
	if a.billing == nil {
		return
	}
	a.billing.courier.Start(ctx)
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := a.billing.consumer.Warm(ctx); err != nil && ctx.Err() == nil {
			a.log.Warn("the billing provider cannot be used at the moment (BILLING_URL, BILLING_SECRET_KEY)", "cause", err)
		}
	}()
	a.closeWith(func(context.Context) error {
		cancel()
		<-done
		a.billing.courier.Stop()
		return nil
	})
}

// billingServices returns the services of the operations; empty if billing is off.
func (a *assembly) billingServices(publicURL string) httpbilling.Services {
	if a.billing == nil {
		return httpbilling.Services{}
	}
	return httpbilling.Services{
		Subscriptions: billing.NewEngine(a.billing.consumer, a.billing.waker, publicURL), Receiver: a.billing.receiver,
		Answers: persistence.NewBilling(a.db), PublicURL: publicURL,
	}
}

// billingMetrics registers the metrics of billing.
func (a *assembly) billingMetrics(registry prometheus.Registerer) {
	if a.billing == nil {
		return
	}
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "equity_billing_unknown_events",
		Help: "Events of the billing provider in the last 30 days whose customer belongs to no organization.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
		defer cancel()
		number, err := persistence.NewBillingInbox(a.db).Unknown(ctx)
		if err != nil {
			return -1
		}
		return float64(number)
	}))
}
