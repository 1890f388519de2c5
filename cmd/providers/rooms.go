package main

import (
	"equity/features/drive/drivetest"
)

// rooms lists the fakes of the services of rooms, one a line.
func rooms() []provider {
	return []provider{
		drivetest.Provider(),
	}
}
