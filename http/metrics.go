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

// metrics counts and times requests by route template. Paths would create a series for each id.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	timers   map[string]prometheus.Observer
}

// newMetrics registers the collectors. With a nil registerer the metrics are not exported.
func newMetrics(registerer prometheus.Registerer, operations []*api.Operation, queue *admission.Queue) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "equity_http_requests_total", Help: "Requests answered, by route, method and status.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "equity_http_request_duration_seconds", Help: "Time from request to answer, by route and method.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "method"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "equity_http_requests_in_flight", Help: "Requests being answered.",
		}),
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
	refused := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "equity_http_requests_refused_total", Help: "Requests refused because the server was overloaded.",
	}, func() float64 { return float64(queue.Stats().Refused) })
	for _, collector := range []prometheus.Collector{m.requests, m.duration, m.inFlight, waiting, refused} {
		if err := registerer.Register(collector); err != nil && !errors.As(err, &prometheus.AlreadyRegisteredError{}) {
			return nil, fmt.Errorf("register metrics: %w", err)
		}
	}
	return m, nil
}

// begin counts a request as in flight and returns the function that completes it.
func (m *metrics) begin() func(route, method string, status int, took time.Duration) {
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
