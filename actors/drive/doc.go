// Package drive copies documents from folders of Google Drive into the data room.
package drive
