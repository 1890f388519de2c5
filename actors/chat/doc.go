// Package chat connects organizations to a Mattermost server.
//
// [Provisioner] creates accounts, access tokens, teams and memberships. [Consumer] follows the journals: it keeps the members of teams,
// their names and the posts of selected events up to date. [Departures] removes the accounts of disabled and erased users.
//
// Each step creates an object and reads it on conflict, so that any number of servers can run it at the same time.
//
// The files: server.go makes calls, account.go provisions accounts, token.go access tokens, team.go teams and channels,
// member.go memberships, session.go combines them, consumer.go and post.go follow the journal, departure.go ends accounts.
package chat
