// Package officetest is a drive of an office suite in memory, with its login service, the recorded shapes of the Microsoft Graph API and
// faults.
package officetest
