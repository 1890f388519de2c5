package drive

import (
	"time"

	"equity/features/drive/connection"
	"equity/organization"
	"equity/organization/document"
)

// Account is the account of a connection to a cloud drive.
type Account struct {
	Connection   connection.ID
	Organization organization.ID
	// User is who permitted the access; zero for connections of earlier versions.
	User  organization.UserID
	Email string
	// Token is the access in the form of its package. It is a secret.
	Token []byte
	// Refused reports that the drive no longer accepts the token, so that a user has to connect again.
	Refused bool
}

// Request is an open request of a user for an authorization.
type Request struct {
	Nonce        string
	Organization organization.ID
	User         organization.UserID
	// Verifier proves that the server that requested the authorization also redeems it. It is a secret.
	Verifier  string
	CreatedAt time.Time
	ExpiresAt time.Time
}

// SyncState is the progress of a configuration between its runs.
type SyncState struct {
	Configuration connection.SyncID
	// PageToken is the position in the changes of the drive. It is empty before the first complete run.
	PageToken string
	// Scope are the terms under which the position was reached. Other terms require a complete listing.
	Scope string
	// NextAt is the time of the next scheduled run; zero before it is scheduled.
	NextAt     time.Time
	LastSyncAt time.Time
	// Error is the code of the last failure; empty after a success.
	Error string
}

// CopiedFile is a file or a folder of the drive, as it was last copied.
type CopiedFile struct {
	ExternalID string
	// Parent is the folder in the drive, and Name the name there.
	Parent, Name string
	Folder       bool
	// Document is the copy; zero if the file is not copied.
	Document document.ItemID
	// Fingerprint identifies the copied content.
	Fingerprint string
	// Run is the last run that examined the file.
	Run [16]byte
	// Queued is the position of a folder among those to be listed; 0 if absent.
	Queued int64
	// Gone reports that the file is no longer in the folder of the configuration.
	Gone bool
}

// The states of a run.
const (
	RunRunning   = "running"
	RunSucceeded = "succeeded"
	// RunPartial is the state of a run that was interrupted and continues later.
	RunPartial   = "partial"
	RunFailed    = "failed"
	RunCancelled = "cancelled"
)

// Counts are the numbers of files of a run.
type Counts struct{ Processed, Added, Updated, Skipped, Failed int64 }

// Progress is the position of a run, from which it continues.
type Progress struct {
	// Begun reports that the run has determined its method.
	Begun bool `json:"begun,omitempty"`
	// Complete reports a complete listing.
	Complete bool `json:"complete,omitempty"`
	// Page is the page to read: of the changes, or of the folder that is being listed.
	Page string `json:"page,omitempty"`
	// Changes reports that pages of changes remain.
	Changes bool `json:"changes,omitempty"`
	// Start is the position for later changes.
	Start string `json:"start,omitempty"`
	// Queue is the last position among the folders to be listed.
	Queue int64 `json:"queue,omitempty"`
	// Reasons counts the failed files by the codes of their failures.
	Reasons map[string]int64 `json:"reasons,omitempty"`
	// Tries is the number of refusals of the current call.
	Tries int `json:"tries,omitempty"`
}

// Run is a run of the synchronization of one configuration.
type Run struct {
	ID            [16]byte
	Organization  organization.ID
	Configuration connection.SyncID
	Status        string
	// Error is the code of the failure; empty without one.
	Error string
	Counts
	TriggeredAt, StartedAt, CompletedAt time.Time
	// ResumeAt is the time at which an interrupted run continues.
	ResumeAt time.Time
	Progress Progress
}

// Open reports whether the run has work.
func (r *Run) Open() bool { return r.Status == RunRunning || r.Status == RunPartial }

// Status is the state of the synchronization that is stored beside the journal.
type Status struct {
	Account Account // without the token
	Syncs   map[connection.SyncID]SyncState
}

// FolderQuery asks for a page of the folders in a folder of the drive; of the top-level folders without a parent.
type FolderQuery struct {
	// Position is that of the page; empty for the first page.
	Parent, Position string
	// Limit is the maximum number of folders; 0 for the largest page of the provider.
	Limit int
}

// Folder is a folder of the drive, or a drive of a group.
type Folder struct {
	ID, Name, Parent string
	Shared           bool
}
