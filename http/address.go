package http

import (
	"net/http"
	"net/netip"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// address returns the address of the client: the peer of the connection, or, if the peer is a trusted
// proxy, the last address in X-Forwarded-For that is not a trusted proxy. Clients can forge the
// addresses before it.
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

// parseHop parses an address with or without a port.
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
	reversed := make([]string, len(list))
	for i, text := range list {
		reversed[len(list)-1-i] = text
	}
	return reversed
}

// network returns the key by which attempts are counted: the client's address, or for IPv6 its 64-bit
// network, because one customer usually controls all addresses of such a network.
func (c Caller) network() string {
	const prefixBits = 64
	if !c.Address.Is6() {
		return c.Address.String()
	}
	network, _ := c.Address.WithZone("").Prefix(prefixBits) // a 64-bit prefix is valid for every IPv6 address
	return network.String()
}

// canonical returns the normal form of an e-mail address, which account look-ups also use. Attempts at
// one account count together, however its address is spelled.
func canonical(email string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(email)))
}
