// Package drive copies documents from folders of Google Drive into the data room.
//
// Its data: the connection and its configurations are records of the organization (package connection), which the journal keeps. The
// tables drive_account (with the sealed token), drive_request, drive_sync, drive_run and drive_file have the account, the open requests for
// an authorization, and the progress (store.go, sync_store.go, file_store.go). The copies are documents of the data room.
//
// From request to effect: a user opens the login page of the provider, which redirects with a code (connection_handlers.go). [Engine]
// redeems it (engine.go, auth.go), stores the token, and a command of package connection records the connection. Configurations name a
// folder of the drive and a folder of the data room (sync_handlers.go). [Consumer] follows their events, its schedule and the requests of
// users (consumer.go). A run lists the folder or its changes (run.go, list.go, client.go), downloads the files in batches (copy.go) and
// adds them with commands of the data room (room.go). Refused calls are repeated later (retry.go). After a disconnection the token is
// revoked and erased (service.go).
//
// While an organization is connected, a guard of package connection refuses another storage of its documents.
package drive
