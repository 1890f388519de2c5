package messages

import (
	"equity/captable"
	"equity/organization/document"
)

// ProfileFile is a file of a profile. It is personal data and therefore outside the journals of organizations.
type ProfileFile struct {
	document.File
	Entity captable.EntityID `json:"profile"`
}
