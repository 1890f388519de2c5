package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"equity/actors/billing"
	"equity/actors/consumer"
	"equity/actors/mail"
	httpbilling "equity/http/billing"
	"equity/messages"
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
		Client: client, Store: persistence.NewBilling(a.db), Inbox: inbox, Owners: billingOwners{a, p.now},
		Organizations: func() billing.Organizations { return a.organizations },
		Grace:         time.Duration(a.config.BillingGraceDays) * 24 * time.Hour, Now: p.now,
	})
	waker := billing.NewWaker(persistence.NewConsumers(a.db), func(id organization.ID, name string) { a.organizations.Wake(id, name) }, p.now)
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
		Name: "equity_billing_unknown_events", Help: "Events of the billing provider in the last 30 days whose customer belongs to no organization.",
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

// billingOwners informs the owners of an organization by mail.
type billingOwners struct {
	*assembly
	now func() time.Time
}

// PaymentDue stores a mail to each owner with an account. Its id depends on the reminder, so that a repetition stores no second one.
func (b billingOwners) PaymentDue(ctx context.Context, view *messages.View, reminder billing.Reminder) error {
	name := strings.Join(strings.Fields(view.State.Profile().Name), " ")
	for member := range view.State.Members() {
		if member.User.IsZero() || member.Status == organization.StatusRemoved || !slices.Contains(member.Roles, organization.RoleOwner) {
			continue
		}
		owner, err := b.users.ByID(ctx, member.User)
		if err != nil {
			b.log.Warn("owner not reminded of a payment", "cause", err)
			continue
		}
		err = persistence.NewOutbox(b.db).Defer(ctx, messages.Mail{
			ID: mail.ID(reminder.Key + " " + member.User.String()), To: owner.Email, Subject: "A payment for " + name + " failed", CreatedAt: b.now(),
			Text: fmt.Sprintf("The invoice for the subscription of %s is unpaid since %d days.\n\n"+
				"Update the payment method in the billing settings. Until %s, nothing changes. Afterwards, no further shareholders and members "+
				"can be added beyond the limits of the plan START. All records stay readable and can be exported at any time.\n",
				name, reminder.Day, reminder.GraceEndsAt.UTC().Format("2 January 2006")),
		})
		if err != nil {
			return err
		}
	}
	b.courier.Knock()
	return nil
}
