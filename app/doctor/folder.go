package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Limits of the free space of a disk.
const (
	leastSpace = 100 << 20 // below it, imports and uploads fail soon
	lowSpace   = 1 << 30
	lowPercent = 5
)

// Folder checks that a folder is writable. A missing folder is created by the server, so that its nearest existing parent must be writable.
func Folder(check, setting, path string) Finding {
	parent, err := existing(path)
	if err == nil {
		err = probe(parent)
	}
	switch {
	case err != nil:
		return Fail(check, "make the folder writable for the user of the server, or change "+setting, "%s is not writable: %v", path, err)
	case parent != filepath.Clean(path):
		return Good(check, "%s is created at the start", path)
	}
	return Good(check, "%s is writable", path)
}

// existing returns the path, or its nearest parent that exists.
func existing(path string) (string, error) {
	path = filepath.Clean(path)
	for {
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.IsDir():
			return "", fmt.Errorf("%s is not a folder", path)
		case err == nil:
			return path, nil
		case !errors.Is(err, os.ErrNotExist) || filepath.Dir(path) == path:
			return "", err
		}
		path = filepath.Dir(path)
	}
}

// ProbePrefix begins the names of the files that a check of a folder writes. Other checks that run at the same time pass over them.
const ProbePrefix = ".equity-doctor-"

// probe writes a file and removes it.
func probe(folder string) error {
	file, err := os.CreateTemp(folder, ProbePrefix+"*")
	if err != nil {
		return err
	}
	_, err = file.WriteString("equity doctor\n")
	return errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
}

// Disk checks the free space at the path, or at its nearest parent that exists.
func Disk(path string) Finding {
	const check = "disk space"
	parent, err := existing(path)
	if err != nil {
		return Warn(check, "correct the path", "%s cannot be read: %v", path, err)
	}
	free, total, err := space(parent)
	if err != nil {
		return Warn(check, "check the disk", "the free space at %s is unknown: %v", path, err)
	}
	return Space(path, free, total)
}

// Space judges the free bytes of a disk.
func Space(path string, free, total uint64) Finding {
	const check, repair = "disk space", "delete files or enlarge the disk"
	const megabyte = 1 << 20
	switch {
	case free < leastSpace:
		return Fail(check, repair, "%s has %d MB free", path, free/megabyte)
	case free < lowSpace || free/lowPercent < total/100:
		return Warn(check, repair, "%s has %d MB of %d MB free", path, free/megabyte, total/megabyte)
	}
	return Good(check, "%s has %d MB free", path, free/megabyte)
}
