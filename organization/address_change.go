package organization

import (
	"time"

	"equity/captable"
	"equity/fault"
)

// ClaimWait is the time for which a claim by the new address of a holder waits, if the former address was invited.
const ClaimWait = 3 * 24 * time.Hour

// CodeClaimWaiting refuses a claim by an address that was entered too recently.
const CodeClaimWaiting fault.Code = "claimWaiting"

// The reasons for which a claim need not wait any longer.
const (
	ConfirmedByFormer = "formerAddress"
	ConfirmedByBounce = "bounced"
	ConfirmedByOwner  = "owner"
)

// AddressChange is the last change of the e-mail address of a member that holds or held equity. The address itself is not in
// the journal.
type AddressChange struct {
	ChangedAt captable.Instant `json:"changedAt"`
	// WaitsUntil is the time from which the new address can claim the holder. It is zero if no claim waits.
	WaitsUntil captable.Instant `json:"waitsUntil,omitzero"`
	// Token is the hash of the token in the mail to the former address, or zero.
	Token TokenHash `json:"-"`
	// Only is the hash of the only invitation that was sent to the former address, or zero.
	Only TokenHash `json:"-"`
}

// Readdressing is the change of the e-mail address of a member, as far as the journal records it.
type Readdressing struct {
	// Changes reports that the stored address becomes another one, or none.
	Changes bool
	// Token is the hash of the token in the mail to the former address. It is zero without a former address.
	Token TokenHash
}

// MemberReaddressed records another e-mail address of a member that holds or held equity.
type MemberReaddressed struct {
	ID MemberID `json:"id"`
	// WaitsUntil is the time from which the new address can claim the holder; zero for a claim at any time.
	WaitsUntil captable.Instant `json:"waitsUntil,omitzero"`
	Token      TokenHash        `json:"tokenHash,omitzero"`
}

// EventType returns the event's name in the journal.
func (MemberReaddressed) EventType() string { return "memberReaddressed" }

// Creates returns nil.
func (MemberReaddressed) Creates() []captable.Created { return nil }

// Records returns the member.
func (e MemberReaddressed) Records(s *State) []any { return s.memberRecord(e.ID) }

// MailCause returns the hash of the token in the mail to the former address.
func (e MemberReaddressed) MailCause() [32]byte { return e.Token }

func (e MemberReaddressed) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		change := &AddressChange{ChangedAt: stamp.At, WaitsUntil: e.WaitsUntil, Token: e.Token}
		if i := m.Invitation; i != nil {
			if i.Arrived == 1 {
				change.Only = i.Hash
			}
			next := *i
			next.Arrived = 0
			m.Invitation = &next
		}
		m.AddressChange = change
	})
}

// AddressConfirmed records that the claim by the new address of a holder need not wait any longer.
type AddressConfirmed struct {
	ID MemberID `json:"id"`
	// Means is formerAddress, bounced or owner.
	Means string `json:"means"`
}

// EventType returns the event's name in the journal.
func (AddressConfirmed) EventType() string { return "addressConfirmed" }

// Creates returns nil.
func (AddressConfirmed) Creates() []captable.Created { return nil }

// Records returns the member.
func (e AddressConfirmed) Records(s *State) []any { return s.memberRecord(e.ID) }

func (e AddressConfirmed) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		if m.AddressChange != nil {
			m.AddressChange = &AddressChange{ChangedAt: m.AddressChange.ChangedAt}
		}
	})
}

// ConfirmAddress lets the new address of a holder claim it at once. The caller has checked the second factor of the author, who must be
// an Owner.
type ConfirmAddress struct{ ID MemberID }

// ConfirmAddressByToken does so with the token in the mail to the former address.
type ConfirmAddressByToken struct{ Hash TokenHash }

// claimWaits reports whether a claim of the member has to wait.
func (m *Member) claimWaits(now time.Time) bool {
	return m.AddressChange != nil && now.Before(m.AddressChange.WaitsUntil.Time())
}

// ClaimWaitsUntil returns the time until which a claim of the member without an account waits, or false.
func (m *Member) ClaimWaitsUntil(now time.Time) (captable.Instant, bool) {
	if !m.User.IsZero() || m.Status == StatusRemoved || !m.claimWaits(now) {
		return 0, false
	}
	return m.AddressChange.WaitsUntil, true
}

// checkClaim refuses the claim of a member that has to wait.
func (m *Member) checkClaim(now time.Time) error {
	if !m.claimWaits(now) {
		return nil
	}
	until := m.AddressChange.WaitsUntil.Time().UTC().Format(time.RFC3339)
	return fault.Refuse(CodeClaimWaiting, "The e-mail address of this holder was changed. Try again after "+until+
		", or ask the former address or an Owner to confirm the change.").With("waitsUntil", until)
}

// readdressed returns the event of another e-mail address. The address decides who can become the holder, so the author must be
// allowed to edit the cap table. A claim by the new address waits if the former one was invited, or if an earlier claim waits.
func (s *State) readdressed(m DecideContext, member *Member, r Readdressing) ([]Event, error) {
	if !r.Changes || !s.table.Held(member.Entity) {
		return nil, nil
	}
	if !m.By.IsZero() && !s.permissionsOf(m).Has(EditCapTable) {
		return nil, fault.Refuse(fault.Forbidden,
			"The member holds or held equity. Another e-mail address requires permission to edit the cap table.").
			With("missing", EditCapTable.String())
	}
	event := MemberReaddressed{ID: member.ID, Token: r.Token}
	invited := member.Invitation != nil && member.Invitation.Arrived > 0
	if member.User.IsZero() && (invited || member.claimWaits(m.Now)) {
		event.WaitsUntil = captable.InstantOf(m.Now.Add(ClaimWait))
	}
	return []Event{event}, nil
}

func (c ConfirmAddress) Decide(s *State, m DecideContext) ([]Event, error) {
	author, ok := s.MemberBy(m.By)
	if !ok || !author.Owns() {
		return nil, fault.Refuse(fault.Forbidden, "Only an Owner can confirm the address of a holder.")
	}
	member, err := s.present(c.ID)
	if err != nil {
		return nil, err
	}
	if _, waits := member.ClaimWaitsUntil(m.Now); !waits {
		return nil, fault.Refuse(fault.Conflict, "Only a waiting claim can be confirmed, and this member has none.")
	}
	return []Event{AddressConfirmed{ID: member.ID, Means: ConfirmedByOwner}}, nil
}

func (c ConfirmAddressByToken) Decide(s *State, m DecideContext) ([]Event, error) {
	member, err := s.Readdressed(c.Hash, m.Now)
	if err != nil {
		return nil, err
	}
	return []Event{AddressConfirmed{ID: member.ID, Means: ConfirmedByFormer}}, nil
}

// Readdressed returns the member with this token in the mail to its former address, while the claim waits.
func (s *State) Readdressed(hash TokenHash, now time.Time) (*Member, error) {
	for member := range s.Members() {
		if _, waits := member.ClaimWaitsUntil(now); waits && member.AddressChange.Token == hash {
			return member, nil
		}
	}
	return nil, fault.Refuse(fault.NotFound, "The change does not exist, was confirmed, or needs no confirmation any more.")
}

// bouncedBefore returns the member whose former address never received an invitation, while its claim waits.
func (s *State) bouncedBefore(hash TokenHash, now time.Time) (*Member, bool) {
	for member := range s.Members() {
		if _, waits := member.ClaimWaitsUntil(now); waits && hash != (TokenHash{}) && member.AddressChange.Only == hash {
			return member, true
		}
	}
	return nil, false
}

func (c ConfirmAddress) Result(_ []Event, after *State) (*Member, bool) { return after.Member(c.ID) }
