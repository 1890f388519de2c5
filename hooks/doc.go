// Package hooks is the gateway for inbound hooks. It checks the token of a request, translates its body to an event of the main
// session or to a run of the assistant, and passes it to a dispatcher, which stores it before the gateway answers.
//
// The interface is that of OpenClaw: the profile "compatible" follows its releases 2026.1.24 to 2026.1.30, and the profile "strict"
// the rules of 2026.2.9 and later.
package hooks
