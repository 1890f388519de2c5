package http

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"equity/http/admission"
	"equity/http/api"
)

// metrics counts and times requests by route template. Paths would create a series for each id. Requests that other nodes forward are
// counted separately, because the first node counts the answers to callers.
type metrics struct {
	forwarded *prometheus.CounterVec
	requests  *prometheus.CounterVec
	duration  *prometheus.HistogramVec
	inFlight  prometheus.Gauge
	timers    map[string]prometheus.Observer
}

// newMetrics registers the collectors. With a nil registerer the metrics are not exported.
func newMetrics(registerer prometheus.Registerer, operations []*api.Operation, queue *admission.Queue, room *room) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "equity_http_requests_total", Help: "Requests of callers answered, by route, method and status.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "equity_http_request_duration_seconds", Help: "Time from the request of a caller to its answer, by route and method.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "equity_http_requests_in_flight", Help: "Requests of callers being answered.",
		}),
		forwarded: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "equity_cluster_forwarded_requests_total",
			Help: "Attempts of other servers to have a request answered here, by status.",
		}, []string{"status"}),
		timers: map[string]prometheus.Observer{},
	}
	for _, op := range operations {
		m.timers[op.Method+op.Path] = m.duration.WithLabelValues(op.Path, op.Method)
	}
	if registerer == nil {
		return m, nil
	}
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "equity_http_requests_waiting", Help: "Requests that wait for a slot.",
	}, func() float64 { return float64(queue.Stats().Waiting) })
	away := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "equity_cluster_requests_waiting", Help: "Requests that wait for the answer of another server.",
	}, room.waiting)
	refused := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "equity_http_requests_refused_total", Help: "Requests refused because the server was overloaded.",
	}, func() float64 { return float64(queue.Stats().Refused) + room.refusals() })
	for _, collector := range []prometheus.Collector{m.requests, m.duration, m.inFlight, m.forwarded, waiting, away, refused} {
		if err := registerer.Register(collector); err != nil && !errors.As(err, &prometheus.AlreadyRegisteredError{}) {
			return nil, fmt.Errorf("register metrics: %w", err)
		}
	}
	return m, nil
}

// begin counts a request as in flight and returns the function that completes it.
func (m *metrics) begin(forwarded bool) func(route, method string, status int, took time.Duration) {
	if forwarded {
		return func(_, _ string, status int, _ time.Duration) {
			m.forwarded.WithLabelValues(strconv.Itoa(status)).Inc()
		}
	}
	m.inFlight.Inc()
	return func(route, method string, status int, took time.Duration) {
		m.inFlight.Dec()
		method = knownMethod(method)
		m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
		timer, ok := m.timers[method+route]
		if !ok {
			timer = m.duration.WithLabelValues(route, method)
		}
		timer.Observe(took.Seconds())
	}
}

// knownMethod maps unknown methods to one label, so that clients cannot create series.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	default:
		return "other"
	}
}
