package http

import (
	"net"
	"syscall"
	"time"
)

// handshakeTime is the time for the handshakes that are not complete when a listener closes.
const handshakeTime = 50 * time.Millisecond

// CloseListener closes a listener of this package over TCP without multipath, so that no connection is reset. Its server accepts connections
// meanwhile. The system would reset the connections that it has established, but that the server has not accepted. On Linux, it first ignores the
// beginnings of new connections while the server accepts the established ones. A client whose beginning was ignored sends it again after a second,
// and is refused then.
func CloseListener(l net.Listener) error {
	if socket, found := socketOf(l); found && ignoreNewConnections(socket) == nil {
		time.Sleep(handshakeTime)
	}
	return l.Close() //nolint:wrapcheck // the listener's own error
}

// socketOf returns the listener of the system below those of this package.
func socketOf(l net.Listener) (syscall.Conn, bool) {
	for {
		switch outer := l.(type) {
		case strictListener:
			l = outer.Listener
		case smallBuffers:
			l = outer.Listener
		default:
			socket, found := l.(syscall.Conn)
			return socket, found
		}
	}
}
