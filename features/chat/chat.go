// Package chat connects organizations to a Mattermost server.
//
// Its data: the team of an organization is a part of the organization (package team), which the journal keeps. The tables chat_user and
// chat_team have the accounts of users with their sealed access tokens, and the organizations of teams (store.go, types.go).
//
// From request to effect: a member opens the chat (handlers.go). The [Provisioner] (session.go) makes the account of the member
// (account.go), an access token (token.go), the team with its channels (team.go) and the membership (member.go) at the chat server
// (server.go), and records the team with a command of package team. From then on [Consumer] follows the journal (consumer.go): it keeps the
// members of the team and its name up to date, and posts the events that the profile of the organization selects (post.go). Replies of
// the assistant are posted too (deliver.go). [Departures] ends the tokens of users without a session, and removes the accounts of disabled
// and erased users (departure.go). In a browser, cookies of the chat server begin and end with the session (cookies.go).
//
// Each step creates an object and reads it on conflict, so that any number of servers can run it at the same time. turns.go lets one
// goroutine of this server at a time provision a user or a team.
package chat
