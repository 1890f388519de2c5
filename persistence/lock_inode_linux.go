package persistence

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// inodeLocks reports that this system has locks of open file descriptions, which are independent of SQLite's own.
const inodeLocks = true

// inodeLock is the position of the byte whose lock owns a file under all its names. SQLite locks bytes from 1 GiB on; this one is beyond the
// greatest size of a database (https://www.sqlite.org/limits.html).
const inodeLock = 1 << 62

// lockInode locks the file itself. It reports false if another open file description has the lock.
func lockInode(file *os.File) (bool, error) {
	err := unix.FcntlFlock(file.Fd(), unix.F_OFD_SETLK, inodeByte(unix.F_WRLCK))
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return false, nil
	}
	return err == nil, err
}

// unlockInode releases the lock and keeps the file open.
func unlockInode(file *os.File) error {
	return unix.FcntlFlock(file.Fd(), unix.F_OFD_SETLK, inodeByte(unix.F_UNLCK))
}

// inodeOwned reports whether another open file description has the lock.
func inodeOwned(file *os.File) (bool, error) {
	asked := inodeByte(unix.F_WRLCK)
	err := unix.FcntlFlock(file.Fd(), unix.F_OFD_GETLK, asked)
	return asked.Type != unix.F_UNLCK, err
}

func inodeByte(kind int16) *unix.Flock_t {
	return &unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: inodeLock, Len: 1}
}
