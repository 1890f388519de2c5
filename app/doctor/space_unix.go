//go:build unix

package doctor

import "golang.org/x/sys/unix"

// space returns the bytes that are free for the user of the process, and the size of the disk.
func space(path string) (free, total uint64, err error) {
	var found unix.Statfs_t
	if err := unix.Statfs(path, &found); err != nil {
		return 0, 0, err
	}
	size := uint64(found.Bsize)                                  //nolint:gosec // positive; its type depends on the platform
	return uint64(found.Bavail) * size, found.Blocks * size, nil //nolint:unconvert // its type depends on the platform
}
