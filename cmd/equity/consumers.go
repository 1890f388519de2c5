package main

import (
	"context"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/mail"
	"equity/actors/webhook"
	"equity/config"
	equityhttp "equity/http"
	"equity/organization"
	"equity/persistence"
)

// newConsumers returns the consumers of the journals. They start with the organizations.
func (a *assembly) newConsumers(ctx context.Context, p program) (*consumer.Set, error) {
	breakers := consumer.NewBreakers(p.now)
	a.office = newOfficeSuite(a.config, a.db, p, breakers)
	if err := a.openBilling(p, breakers); err != nil {
		return nil, err
	}
	server := "files"
	if a.config.SMTPHost != "" {
		server = net.JoinHostPort(a.config.SMTPHost, strconv.Itoa(a.config.SMTPPort))
	}
	letters := mail.NewConsumer(persistence.NewSealed(a.db), persistence.NewOutbox(a.db), transport(a.config), a.invitations(p),
		breakers, server, p.now)
	private := a.config.WebhookAllowPrivate == "true"
	hooks := webhook.NewConsumer(webhook.Options{
		Store: persistence.NewDeliveries(a.db), Secrets: persistence.NewSealed(a.db), Owners: owners{a, p.now},
		Records: equityhttp.Records{Features: a.features()}, Breakers: breakers, Slots: a.effects, Version: contractDate,
		AllowPrivate: private, Now: p.now,
		Commands: func() webhook.Commands { return a.organizations },
		Source:   func() consumer.Source { return a.organizations.Source() },
	})
	a.webhooks = webhook.NewEngine(hooks, persistence.NewConsumers(a.db), webhook.Rules{
		AllowPlain: a.config.Environment != config.Production, AllowPrivate: private, Resolver: net.DefaultResolver,
	}, func(id organization.ID, name string) { a.organizations.Wake(id, name) }, p.random)
	informed := mail.NewOwnersConsumer(owners{a, p.now}, p.now)
	all := append([]consumer.Consumer{letters, informed, hooks, trashConsumer(a, p)}, a.chatConsumers(p, breakers)...)
	if a.billing != nil {
		all = append(all, a.billing.consumer)
	}
	scans, err := a.scanConsumers(ctx, p)
	if err != nil {
		return nil, err
	}
	drives, err := a.driveConsumers(ctx, p, breakers)
	if err != nil {
		return nil, err
	}
	received, err := hookConsumers(ctx, a, p)
	if err != nil {
		return nil, err
	}
	set := consumer.NewSet(p.schema, persistence.NewConsumers(a.db), p.now, a.log, slices.Concat(all, scans, drives, received)...)
	set.Yield(a.effects)
	return set, nil
}

// contractDate is the date of the contract, which webhook events name as their version.
const contractDate = "2026-11-22"

// invitations returns the receiver of bounced invitations.
func (a *assembly) invitations(p program) invitations {
	return invitations{func() *actors.Organizations { return a.organizations }, p.now}
}

// rearmDeliveries arms the webhooks with overdue attempts that have no alarm. There are none, unless a server or its clock failed.
func (a *assembly) rearmDeliveries(ctx context.Context, now time.Time) {
	number, err := persistence.NewDeliveries(a.db).Rearm(ctx, now)
	switch {
	case err != nil && ctx.Err() == nil:
		a.log.Warn("overdue deliveries to webhooks were not searched", "cause", err)
	case number > 0:
		a.rearmed.Add(uint64(number))
		a.log.Warn("overdue deliveries to webhooks had no alarm and are repeated now", "number", number)
	}
}

// consumerMetrics registers the metrics of the consumers.
func (a *assembly) consumerMetrics(registry prometheus.Registerer) {
	registry.MustRegister(consumerCollector{a}, prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "equity_webhook_rearmed_total", Help: "Deliveries whose attempt was overdue without an alarm.",
	}, func() float64 { return float64(a.rearmed.Load()) }))
}

// consumerCollector reads the counts of the consumers when they are requested.
type consumerCollector struct{ *assembly }

func consumerDescription(name, help string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, []string{"consumer"}, nil)
}

// Describe sends no description: the metrics depend on the consumers.
func (consumerCollector) Describe(chan<- *prometheus.Desc) {}

// Collect sends the current counts.
func (c consumerCollector) Collect(metrics chan<- prometheus.Metric) {
	send := func(name, help string, kind prometheus.ValueType, value float64, consumer string) {
		metrics <- prometheus.MustNewConstMetric(consumerDescription(name, help), kind, value, consumer)
	}
	for name, s := range c.consumers.Stats() {
		send("equity_consumer_attempts_total", "Calls with events.", prometheus.CounterValue, float64(s.Attempts), name)
		send("equity_consumer_failures_total", "Failed calls.", prometheus.CounterValue, float64(s.Failures), name)
		send("equity_consumer_events_total", "Events whose effects are complete.", prometheus.CounterValue, float64(s.Events), name)
		send(
			"equity_consumer_lag_seconds", "Age of the last handled event when its effect was complete.", prometheus.GaugeValue,
			s.Lag.Seconds(), name,
		)
		send("equity_consumer_children", "Instances in memory.", prometheus.GaugeValue, float64(s.Children), name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
	defer cancel()
	totals, err := persistence.NewConsumers(c.db).Totals(ctx)
	if err != nil {
		return
	}
	for name := range c.consumers.Stats() {
		send("equity_consumer_pending", "Organizations with pending work.", prometheus.GaugeValue, float64(totals[name].Pending), name)
		send("equity_consumer_failed", "Organizations where a user must retry or skip an event. Alert when it is not 0.",
			prometheus.GaugeValue, float64(totals[name].Failed), name)
	}
}
