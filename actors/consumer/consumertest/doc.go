// Package consumertest proves the guarantees of consumers. The tests of each consumer run [Conformance] with a scripted
// service of their own.
package consumertest
