package api

import (
	"net/netip"
)

// Network returns the key by which attempts are counted: the client's address, or for IPv6 its 64-bit
// network, because one customer usually controls all addresses of such a network.
func (c Caller) Network() string {
	const prefixBits = 64
	if !c.Address.Is6() {
		return c.Address.String()
	}
	network, _ := c.Address.WithZone("").Prefix(prefixBits) // a 64-bit prefix is valid for every IPv6 address
	return network.String()
}

// NetworkOf is the network that counts as one sender: an IPv4 address, or an IPv6 network of 64 bits.
func NetworkOf(address netip.Addr) string {
	const bitsOfNetwork = 64
	if address.Is6() {
		if network, err := address.Prefix(bitsOfNetwork); err == nil {
			return network.String()
		}
	}
	return address.String()
}
