package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"equity/egress"
	"equity/fault"
)

var (
	// ErrPrivate reports an address in a network that is not public.
	ErrPrivate = fault.InvalidField("/url", "private", "url must have a public address.")
	// ErrURL reports an URL that webhooks cannot have.
	ErrURL       = fault.InvalidField("/url", "format", "url must be an https URL without user and fragment.")
	errNotPublic = errors.New("the address of the webhook is not public")
	errSecret    = errors.New("the secret of the webhook is missing or damaged")
)

// Public reports whether the address is in the public internet. It refuses private, loopback, link-local, shared, multicast,
// reserved and documentation networks, and IPv6 forms that contain IPv4 addresses: compatible, translated, NAT64, 6to4 and Teredo.
// A mapped address counts as the IPv4 address.
func Public(address netip.Addr) bool {
	address = address.WithZone("").Unmap()
	if address.Is6() && !globalIPv6().Contains(address) {
		return false
	}
	if !address.IsGlobalUnicast() || address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast() {
		return false
	}
	for _, network := range refusedNetworks() {
		if network.Contains(address) {
			return false
		}
	}
	return true
}

// globalIPv6 returns the only network of IPv6 with public addresses (IANA registry of the address space).
func globalIPv6() netip.Prefix { return netip.MustParsePrefix("2000::/3") }

// refusedNetworks lists the special networks that package netip counts as global (IANA registries of special-purpose addresses).
func refusedNetworks() []netip.Prefix {
	texts := []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	}
	networks := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		networks[i] = netip.MustParsePrefix(text)
	}
	return networks
}

// refuse is the check of a dialer after the resolution of the name, for each address that it connects to.
func refuse(_, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotPublic, err)
	}
	if !Public(target.Addr()) {
		return errNotPublic
	}
	return nil
}

// The limits of connections.
const (
	dialTime     = 10 * time.Second
	idleTime     = 30 * time.Second
	mostIdle     = 256
	mostHeaders  = 16 << 10
	attemptTime  = 30 * time.Second
	mostInFlight = 4
	// mostConnections bounds the connections to a host, which all organizations share.
	mostConnections = 64
)

// newClient returns a client that follows no redirect, uses no proxy and, unless private addresses are allowed, connects to
// public addresses only.
func newClient(allowPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: dialTime}
	if !allowPrivate {
		dialer.Control = refuse
	}
	return egress.NewClient(&http.Transport{
		DialContext: dialer.DialContext, MaxIdleConns: mostIdle, MaxIdleConnsPerHost: mostInFlight, MaxConnsPerHost: mostConnections,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: mostHeaders, TLSHandshakeTimeout: dialTime, DisableCompression: true, ForceAttemptHTTP2: true,
	}, attemptTime)
}

// Resolver resolves the names of hosts.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Rules are the rules for the addresses of webhooks.
type Rules struct {
	// AllowPlain allows http. AllowPrivate allows addresses that are not public.
	AllowPlain, AllowPrivate bool
	Resolver                 Resolver
}

// Check refuses an URL that a webhook cannot have: ErrURL for its form, ErrPrivate if its host has an address now that is not
// public. A name that cannot be resolved now is accepted.
func (r Rules) Check(ctx context.Context, text string) error {
	address, err := url.Parse(text)
	switch {
	case err != nil, address.Host == "", address.Hostname() == "", address.User != nil, address.Fragment != "", address.Opaque != "":
		return ErrURL
	case address.Scheme == "http" && r.AllowPlain, address.Scheme == "https":
	default:
		return ErrURL
	}
	if r.AllowPrivate {
		return nil
	}
	if ip, err := netip.ParseAddr(address.Hostname()); err == nil {
		if !Public(ip) {
			return ErrPrivate
		}
		return nil
	}
	found, err := r.Resolver.LookupNetIP(ctx, "ip", address.Hostname())
	if err != nil {
		return nil //nolint:nilerr // the dialer checks again at each attempt
	}
	for _, ip := range found {
		if !Public(ip) {
			return ErrPrivate
		}
	}
	return nil
}
