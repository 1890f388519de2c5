package storetest

import (
	"net"
	"strconv"
	"syscall"
	"testing"
)

// FreePort is FreeAddress for 127.0.0.1, and returns the port alone.
func FreePort(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(FreeAddress(t, [4]byte{127, 0, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// FreeAddress returns an address of the host with a port that is free until the end of the test, for a program that cannot choose its
// own. A bound socket reserves the port: the system does not choose it for another program, and a
// program that sets SO_REUSEADDR, as servers do, can listen there.
func FreeAddress(t *testing.T, host [4]byte) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(socket) })
	if err := syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: host}); err != nil {
		t.Fatal(err)
	}
	address, err := syscall.Getsockname(socket)
	if err != nil {
		t.Fatal(err)
	}
	own, ok := address.(*syscall.SockaddrInet4)
	if !ok {
		t.Fatalf("the socket has the address %v", address)
	}
	return net.JoinHostPort(net.IP(host[:]).String(), strconv.Itoa(own.Port))
}
