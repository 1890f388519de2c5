// Package office makes calls to a drive of an office suite through the Microsoft Graph API, version 1.0.
//
// The program signs in with its own credentials (auth.go). Calls are repeated while the suite is busy (client.go), and their failures
// become errors of this package (problem.go). Transfers have no deadline, but end without progress (progress.go).
//
// The access token, the client secret and pre-signed addresses appear in no error.
package office
