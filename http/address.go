package http

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// address returns the address of the client.
func (s *Server) address(r *http.Request) netip.Addr {
	return ClientAddress(r, s.settings.TrustedProxies)
}

// ClientAddress returns the address of the client: the peer of the connection, or, if the peer is a trusted
// proxy, the last address in X-Forwarded-For that is not a trusted proxy. Clients can forge the
// addresses before it.
func ClientAddress(r *http.Request, proxies []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := peer.Addr().Unmap()
	if !trusted(client, proxies) {
		return client
	}
	for _, header := range backwards(r.Header.Values("X-Forwarded-For")) {
		for _, hop := range backwards(strings.Split(header, ",")) {
			parsed, err := parseHop(strings.TrimSpace(hop))
			if err != nil {
				return client
			}
			client = parsed
			if !trusted(client, proxies) {
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

func trusted(address netip.Addr, proxies []netip.Prefix) bool {
	for _, network := range proxies {
		if network.Contains(address) {
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

// originOf returns the scheme and host of a URL; empty for a relative URL.
func originOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return ""
	}
	return parsed.Scheme + "://" + parsed.Host
}
