//go:build !windows

package backup

import (
	"errors"
	"os"
)

// syncFolder makes the file names in a folder durable.
func syncFolder(path string) error {
	folder, err := os.Open(path) //nolint:gosec // the operator names the folder
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
