// Package processtest runs the real program as processes under adverse conditions:
// kills at random times, two servers on one store, an unavailable store, an
// orderly stop under load. It compares the store with the responses of clients: each
// acknowledged write is stored exactly once, no write is stored partially, and the hash chain is valid.
package processtest
