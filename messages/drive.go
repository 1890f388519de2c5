package messages

import (
	"time"

	"equity/organization"
	"equity/organization/document"
)

// DriveAccount is the account of a connection to a cloud drive.
type DriveAccount struct {
	Connection   organization.DriveID
	Organization organization.ID
	// User is who permitted the access; zero for connections of earlier versions.
	User  organization.UserID
	Email string
	// Token is the access in the form of its package. It is a secret.
	Token []byte
	// Refused reports that the drive no longer accepts the token, so that a user has to connect again.
	Refused bool
}

// DriveRequest is an open request of a user for an authorization.
type DriveRequest struct {
	Nonce        string
	Organization organization.ID
	User         organization.UserID
	// Verifier proves that the server that requested the authorization also redeems it. It is a secret.
	Verifier  string
	CreatedAt time.Time
	ExpiresAt time.Time
}

// DriveSync is the progress of a configuration between its runs.
type DriveSync struct {
	Configuration organization.SyncID
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

// DriveFile is a file or a folder of the drive, as it was last copied.
type DriveFile struct {
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
	DriveRunning   = "running"
	DriveSucceeded = "succeeded"
	// DrivePartial is the state of a run that was interrupted and continues later.
	DrivePartial   = "partial"
	DriveFailed    = "failed"
	DriveCancelled = "cancelled"
)

// DriveCounts are the numbers of files of a run.
type DriveCounts struct{ Processed, Added, Updated, Skipped, Failed int64 }

// DriveProgress is the position of a run, from which it continues.
type DriveProgress struct {
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

// DriveRun is a run of the synchronization of one configuration.
type DriveRun struct {
	ID            [16]byte
	Organization  organization.ID
	Configuration organization.SyncID
	Status        string
	// Error is the code of the failure; empty without one.
	Error string
	DriveCounts
	TriggeredAt, StartedAt, CompletedAt time.Time
	// ResumeAt is the time at which an interrupted run continues.
	ResumeAt time.Time
	Progress DriveProgress
}

// Open reports whether the run has work.
func (r *DriveRun) Open() bool { return r.Status == DriveRunning || r.Status == DrivePartial }

// DriveStatus is the state of the synchronization that is stored beside the journal.
type DriveStatus struct {
	Account DriveAccount // without the token
	Syncs   map[organization.SyncID]DriveSync
}

// DriveFolderQuery asks for a page of the folders in a folder of the drive; of the top-level folders without a parent.
type DriveFolderQuery struct {
	// Position is that of the page; empty for the first page.
	Parent, Position string
	// Limit is the maximum number of folders; 0 for the largest page of the provider.
	Limit int
}

// DriveFolder is a folder of the drive, or a drive of a group.
type DriveFolder struct {
	ID, Name, Parent string
	Shared           bool
}
