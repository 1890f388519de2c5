package main

import (
	"context"
	"net"
	"slices"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/mail"
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
	if err := a.openFeatures(ctx, p, breakers); err != nil {
		return nil, err
	}
	informed := mail.NewOwnersConsumer(owners{a, p.now}, p.now)
	all := slices.Concat(
		[]consumer.Consumer{letters, informed}, a.rooms.consumers(), []consumer.Consumer{trashConsumer(a, p)},
	)
	if a.billing != nil {
		all = append(all, a.billing.consumer)
	}
	received, err := hookConsumers(ctx, a, p)
	if err != nil {
		return nil, err
	}
	set := consumer.NewSet(p.schema, persistence.NewConsumers(a.db), p.now, a.log, append(all, received...)...)
	set.Yield(a.effects)
	return set, nil
}

// contractDate is the date of the contract, which events for other systems name as their version.
const contractDate = "2026-11-22"

// invitations returns the receiver of bounced invitations.
func (a *assembly) invitations(p program) invitations {
	return invitations{func() *actors.Organizations { return a.organizations }, p.now}
}

// consumerMetrics registers the metrics of the consumers and of the rooms.
func (a *assembly) consumerMetrics(registry prometheus.Registerer) {
	registry.MustRegister(consumerCollector{a})
	for _, room := range a.rooms {
		registry.MustRegister(room.Metrics...)
	}
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
