//go:build !linux

package confine

import "syscall"

// attributes are those of every process: a child whose parent has ended ends after its time.
func attributes() *syscall.SysProcAttr { return nil }
