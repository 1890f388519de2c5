package storetest_test

import (
	"net"
	"testing"

	"equity/persistence/storetest"
)

func TestFreeAddressIsReserved(t *testing.T) {
	t.Parallel()
	address := storetest.FreeAddress(t, [4]byte{127, 0, 0, 1})
	if connection, err := net.Dial("tcp", address); err == nil {
		_ = connection.Close()
		t.Error("somebody listens at the free address")
	}
	for range 2 { // a program that is started again
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, reserved, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	for range 100_000 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_, port, err := net.SplitHostPort(listener.Addr().String())
		if _ = listener.Close(); err != nil || port == reserved {
			t.Fatalf("the system gave the port %s again: %v", port, err)
		}
	}
}
