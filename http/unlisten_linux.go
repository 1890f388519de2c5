package http

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// ignoreNewConnections makes the system drop the first packets of new connections to the listener. See Linux, Documentation/networking/filter.rst.
func ignoreNewConnections(listener syscall.Conn) error {
	socket, err := listener.SyscallConn()
	if err != nil {
		return err //nolint:wrapcheck // the caller only asks whether it is nil
	}
	const (
		flags    = 13    // position in the header of TCP, where the packet begins for the filter
		syn, ack = 2, 16 // RFC 9293, 3.1
		whole    = 1 << 18
	)
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: syn | ack},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: syn, Jt: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: whole},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]} //nolint:gosec // five instructions
	var failed error
	if err := socket.Control(func(fd uintptr) {
		failed = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &program)
	}); err != nil {
		return err //nolint:wrapcheck // the caller only asks whether it is nil
	}
	return failed
}
