package doctor

import "golang.org/x/sys/windows"

// space returns the bytes that are free for the user of the process, and the size of the disk.
func space(path string) (free, total uint64, err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, 0, err
	}
	err = windows.GetDiskFreeSpaceEx(name, &free, &total, nil)
	return free, total, err
}
