package config

import (
	"strings"
	"time"
)

// Telemetry are the settings of OpenTelemetry. Without an endpoint it is off.
type Telemetry struct {
	Endpoint string // without trailing slash; "" if it is off
	Headers  Secret // name=value, separated by commas
	Service  string
	// OneIn is the number of requests of which one is traced.
	OneIn int
	// MetricsEvery is the interval of the export of metrics.
	MetricsEvery time.Duration
}

func telemetrySettings() []Setting {
	const group = "OpenTelemetry"
	return []Setting{
		define(group, "OTEL_EXPORTER_OTLP_ENDPOINT", "", webAddress(),
			func(c *Config) *string { return &c.Telemetry.Endpoint },
			"Address of a collector that receives traces and metrics by OTLP over HTTP, such as http://127.0.0.1:4318. Default: neither are exported."),
		define(group, "OTEL_EXPORTER_OTLP_HEADERS", "", headers(),
			func(c *Config) *Secret { return &c.Telemetry.Headers },
			"Headers of the requests to the collector, such as an API key."),
		define(group, "OTEL_SERVICE_NAME", "equity", text(),
			func(c *Config) *string { return &c.Telemetry.Service },
			"Name of the service in traces and metrics."),
		define(group, "OTEL_TRACE_ONE_IN", "1", number(1, 1_000_000),
			func(c *Config) *int { return &c.Telemetry.OneIn },
			"Number of requests of which one is traced. 1: all requests."),
		define(group, "OTEL_METRIC_EXPORT_INTERVAL", "60000", milliseconds(time.Second, time.Hour),
			func(c *Config) *time.Duration { return &c.Telemetry.MetricsEvery },
			"Milliseconds between two exports of the metrics."),
	}
}

// headers is the kind of a secret list of headers.
func headers() kind[Secret] {
	return kind[Secret]{
		expected: "name=value, separated by commas", secret: true,
		parse: func(text string) (Secret, bool) {
			_, ok := list(text, func(one string) (string, bool) {
				name, value, has := strings.Cut(one, "=")
				return one, has && name != "" && value != ""
			})
			return Secret(text), ok
		},
	}
}

// HeaderMap returns the headers by name.
func (t Telemetry) HeaderMap() map[string]string {
	found := map[string]string{}
	for one := range strings.SplitSeq(t.Headers.Reveal(), ",") {
		if name, value, has := strings.Cut(strings.TrimSpace(one), "="); has {
			found[name] = value
		}
	}
	return found
}

// telemetryProblems returns the problems of the settings of OpenTelemetry.
func (c Config) telemetryProblems() (problems SettingsError) {
	if c.Telemetry.Headers != "" && c.Telemetry.Endpoint == "" {
		problems = append(problems, Problem{"OTEL_EXPORTER_OTLP_ENDPOINT", "is not set, but is required with OTEL_EXPORTER_OTLP_HEADERS"})
	}
	if c.Environment == Production && c.Telemetry.Headers != "" && strings.HasPrefix(c.Telemetry.Endpoint, "http://") && !isLoopback(c.Telemetry.Endpoint) {
		problems = append(problems, Problem{"OTEL_EXPORTER_OTLP_ENDPOINT", "must start with https:// in production unless its host is this machine; otherwise OTEL_EXPORTER_OTLP_HEADERS would be readable on the network"})
	}
	return problems
}
