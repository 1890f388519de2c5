package http

import (
	"net/http"
	"net/netip"
	"strings"
)

// address is the client's: of the connection, or, where that is a proxy we trust,
// the nearest one in X-Forwarded-For that is not. What stands before it there was
// written by anybody.
func (s *Server) address(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := peer.Addr().Unmap()
	if !s.trusted(client) {
		return client
	}
	for _, header := range backwards(r.Header.Values("X-Forwarded-For")) {
		for _, hop := range backwards(strings.Split(header, ",")) {
			parsed, err := parseHop(strings.TrimSpace(hop))
			if err != nil {
				return client
			}
			client = parsed
			if !s.trusted(client) {
				return client
			}
		}
	}
	return client
}

// parseHop reads an address with or without a port.
func parseHop(text string) (netip.Addr, error) {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap(), nil
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return address.Unmap(), err
}

func (s *Server) trusted(address netip.Addr) bool {
	for _, proxies := range s.settings.TrustedProxies {
		if proxies.Contains(address) {
			return true
		}
	}
	return false
}

func backwards(list []string) []string {
	turned := make([]string, len(list))
	for i, text := range list {
		turned[len(list)-1-i] = text
	}
	return turned
}
