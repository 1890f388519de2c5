// Package telemetry exports traces and metrics by OTLP over HTTP. A nil Telemetry exports neither, and adds no work to requests.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"equity/egress"
	"equity/messages"
)

// Options are the settings of the export.
type Options struct {
	// Endpoint is the address of the collector. Without one, [Start] returns nil.
	Endpoint         string
	Headers          map[string]string
	Service, Version string
	// OneIn is the number of requests of which one is traced.
	OneIn int
	// MetricsEvery is the interval of the export of metrics.
	MetricsEvery time.Duration
	Now          func() time.Time
}

// Telemetry has the providers of traces and metrics. It is safe for concurrent use.
type Telemetry struct {
	traces  *sdktrace.TracerProvider
	metrics *metric.MeterProvider
	options Options
	source  *resource.Resource
}

// exportTime bounds one request to the collector.
const exportTime = 10 * time.Second

// Start prepares the export of traces, or returns nil without an endpoint. It makes no call: a collector that does not answer costs traces only.
func Start(ctx context.Context, options Options) (*Telemetry, error) {
	if options.Endpoint == "" {
		return nil, nil //nolint:nilnil // nil is a valid value: see Telemetry
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(options.Endpoint+"/v1/traces"), otlptracehttp.WithHeaders(options.Headers),
		otlptracehttp.WithHTTPClient(egress.NewClient(nil, exportTime)))
	if err != nil {
		return nil, fmt.Errorf("start traces: %w", err)
	}
	source := resource.NewSchemaless(
		attribute.String("service.name", options.Service), attribute.String("service.version", options.Version),
	)
	sampler := sdktrace.TraceIDRatioBased(1 / float64(options.OneIn))
	return &Telemetry{
		traces: sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(source),
			sdktrace.WithSampler(sdktrace.ParentBased(sampler))),
		options: options, source: source,
	}, nil
}

// Export sends the metrics of the gatherer periodically.
func (t *Telemetry) Export(ctx context.Context, gatherer prometheus.Gatherer) error {
	if t == nil {
		return nil
	}
	exporter, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(t.options.Endpoint+"/v1/metrics"), otlpmetrichttp.WithHeaders(t.options.Headers),
		otlpmetrichttp.WithHTTPClient(egress.NewClient(nil, exportTime)))
	if err != nil {
		return fmt.Errorf("start the export of metrics: %w", err)
	}
	reader := metric.NewPeriodicReader(exporter, metric.WithInterval(t.options.MetricsEvery),
		metric.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(gatherer))))
	t.metrics = metric.NewMeterProvider(metric.WithReader(reader), metric.WithResource(t.source))
	return nil
}

// Close exports the remaining spans and metrics.
func (t *Telemetry) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	err := t.traces.Shutdown(ctx)
	if t.metrics != nil {
		err = errors.Join(err, t.metrics.Shutdown(ctx))
	}
	return err
}

// Handler returns the handler with one span for each request. A nil Telemetry returns next itself. Traces of clients are linked and not
// continued, because clients choose their identifiers.
func (t *Telemetry) Handler(next http.Handler) http.Handler { return t.handler(next, true) }

// Forwarded is Handler for the requests of other servers of the cluster. It continues their traces.
func (t *Telemetry) Forwarded(next http.Handler) http.Handler { return t.handler(next, false) }

func (t *Telemetry) handler(next http.Handler, public bool) http.Handler {
	if t == nil {
		return next
	}
	return otelhttp.NewHandler(hidePath(next), "request", otelhttp.WithTracerProvider(t.traces), otelhttp.WithMeterProvider(
		noopmetric.NewMeterProvider(),
	),
		otelhttp.WithPropagators(propagation.TraceContext{}), otelhttp.WithPublicEndpointFn(func(*http.Request) bool { return public }),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return r.Method }),
		otelhttp.WithFilter(func(r *http.Request) bool { return r.URL.Path != "/healthz" && r.URL.Path != "/readyz" }))
}

// Propagate returns the function that adds the trace of a context to the header of a request to another server; nil for a nil Telemetry.
func (t *Telemetry) Propagate() func(ctx context.Context, header http.Header) {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, header http.Header) {
		propagation.TraceContext{}.Inject(ctx, propagation.HeaderCarrier(header))
	}
}

// hidePath removes the path and the query from the span: both can contain tokens. [Telemetry.Routed] sets the template.
func hidePath(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		trace.SpanFromContext(r.Context()).SetAttributes(attribute.String("url.path", ""), attribute.String("url.query", ""))
		next.ServeHTTP(w, r)
	})
}

// Routed returns the function that names the span of a request by its route; nil for a nil Telemetry.
func (t *Telemetry) Routed() func(ctx context.Context, method, route string) {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, method, route string) {
		span := trace.SpanFromContext(ctx)
		span.SetName(method + " " + route)
		span.SetAttributes(attribute.String("http.route", route), attribute.String("url.path", route))
	}
}

// Traced returns the function that adds the spans of a command; nil for a nil Telemetry.
func (t *Telemetry) Traced() func(ctx context.Context, command *messages.Command, at time.Time) {
	if t == nil {
		return nil
	}
	tracer := t.traces.Tracer("equity/actors")
	return func(ctx context.Context, command *messages.Command, at time.Time) {
		if !trace.SpanFromContext(ctx).IsRecording() {
			return
		}
		ctx, span := tracer.Start(ctx, "command", trace.WithTimestamp(at), trace.WithAttributes(
			attribute.String("equity.command", fmt.Sprintf("%T", command.Body)),
			attribute.String("equity.organization", command.Organization.String()),
			attribute.Bool("equity.dry_run", command.DryRun)))
		defer func() { span.End(trace.WithTimestamp(t.options.Now())) }()
		times := command.Timeline
		if !times.Answered() { // refused before the decision, or without an answer in time
			return
		}
		step := func(name string, from, to time.Time) {
			if from.IsZero() || to.IsZero() {
				return
			}
			_, one := tracer.Start(ctx, name, trace.WithTimestamp(from))
			one.End(trace.WithTimestamp(to))
		}
		step("mailbox", at, times.Begun)
		step("decide", times.Begun, times.Decided)
		step("append", times.Appending, times.Durable)
	}
}
