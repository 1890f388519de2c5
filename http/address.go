package http

import (
	"net/http"
	"net/netip"
	"strings"

	"golang.org/x/text/unicode/norm"
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

// network is what attempts are counted by: the client's address, or of IPv6 the network of 64 bits that it is in, all of
// whose addresses are its holder's.
func (c Caller) network() string {
	const ofOneHolder = 64
	if !c.Address.Is6() {
		return c.Address.String()
	}
	network, _ := c.Address.WithZone("").Prefix(ofOneHolder) // such a prefix is there for every address of IPv6
	return network.String()
}

// canonical is the form of an e-mail address that attempts are counted by, as accounts are found by it: guesses at one
// account in many spellings are guesses at one account.
func canonical(email string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(email)))
}
