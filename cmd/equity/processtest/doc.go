// Package processtest runs the real program as processes and puts it under fire:
// killed at random moments, two servers on one store, a store that goes away, an
// orderly stop under load. What is checked is what clients were told: every
// acknowledged write is there once, nothing is there by half, the chain holds.
package processtest
