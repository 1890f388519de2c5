package http

import "maps"

// Beside are the stores of what people have beside organizations.
type Beside struct {
	Wallets   Wallets
	Credit    Credit
	Referrals Referrals
	Waitlist  Waitlist
	Profiles  Profiles
	// Administration, Blocklist and Erasure are about accounts.
	Administration Administration
	Blocklist      Blocklist
	Erasure        Erasure
}

// besideHandlers is the table of what that can be asked for.
func (s *Server) besideHandlers() map[string]Handler {
	all := s.walletHandlers()
	maps.Copy(all, s.creditHandlers())
	maps.Copy(all, s.referralHandlers())
	maps.Copy(all, s.profileHandlers())
	maps.Copy(all, s.administrationHandlers())
	maps.Copy(all, s.blocklistHandlers())
	maps.Copy(all, s.privacyHandlers())
	return all
}
