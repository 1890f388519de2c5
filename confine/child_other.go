//go:build !linux

package confine

import "syscall"

// attributes are those of every process: a child whose parent has ended ends after its time.
func attributes() *syscall.SysProcAttr { return nil }

// preferAsVictim does nothing: the system has no such preference.
func preferAsVictim() {}
