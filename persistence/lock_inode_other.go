//go:build !linux

package persistence

import "os"

// inodeLocks reports that this system has no lock that is independent of SQLite's own. The lock beside the name remains.
const inodeLocks = false

func lockInode(*os.File) (bool, error) { return true, nil }

func unlockInode(*os.File) error { return nil }

func inodeOwned(*os.File) (bool, error) { return false, nil }
