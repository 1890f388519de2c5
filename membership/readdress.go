package membership

import (
	"context"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

const byFormerAddress = "system:formerAddress"

// ReaddressedMail is the content of the mail to the former address of a holder.
type ReaddressedMail struct {
	At time.Time
	To string
	// New is the new address. It is empty if the address was removed.
	New string
	// Holder and Organization are names. Author is the name of the user who changed the address.
	Holder, Organization, Author string
	// Token confirms the change. Wait is the time for which a claim waits without it.
	Token string
	Wait  time.Duration
}

// readdress describes the change of the address of a member that holds or held equity, and adds the mail to the former address to the
// command. The organization decides whether the change is permitted.
func (s *Service) readdress(
	ctx context.Context, r *Request, view *messages.View, member *organization.Member, private Particulars,
) (organization.Readdressing, error) {
	value, given := private[fieldEmail]
	if !given {
		return organization.Readdressing{}, nil
	}
	stored, err := s.Index.Particulars(ctx, view.State.ID(), member.Entity)
	if err != nil {
		return organization.Readdressing{}, messages.Unavailable(ctx, "read particulars", err)
	}
	return s.readdressFrom(ctx, r, view, member, emailOf(stored[member.Entity][fieldEmail]), emailOf(value))
}

// readdressFrom is readdress with the former and the new address.
func (s *Service) readdressFrom(
	ctx context.Context, r *Request, view *messages.View, member *organization.Member, former, next string,
) (address organization.Readdressing, err error) {
	address.Changes = messages.CanonicalEmail(former) != messages.CanonicalEmail(next)
	if !address.Changes || former == "" || !view.State.Table().Held(member.Entity) {
		return address, nil
	}
	token, digest, err := newToken(s.Random, view.State.ID(), "")
	if err != nil {
		return address, err
	}
	address.Token = digest
	if r.Command, err = r.Command.Draws(address.Token); err != nil {
		return address, err
	}
	mail := ReaddressedMail{
		At: r.Command.At, To: former, New: next, Holder: member.FullName, Organization: view.State.Profile().Name,
		Token: token, Wait: organization.ClaimWait,
	}
	if author, ok := view.State.MemberBy(r.User); ok {
		mail.Author = author.FullName
	}
	letter, err := s.Letters.Readdressed(mail)
	if err != nil {
		return address, err
	}
	r.Command.Mails = append(r.Command.Mails, messages.EventMail{Cause: address.Token, Mail: letter})
	if r.Command.DryRun || r.noted(former) {
		return address, nil
	}
	return address, s.limitMail(ctx, messages.ChosenMail{
		Kind: messages.MailAddressChange, Recipient: former, Sender: r.Command.By, Network: r.Network, Organization: view.State.ID(),
	})
}

// noted reports whether the request has counted the address before: a change is attempted again after concurrent changes.
func (r *Request) noted(address string) bool {
	if r.notices == nil {
		return false
	}
	address = messages.CanonicalEmail(address)
	known := r.notices[address]
	r.notices[address] = true
	return known
}

// checkElsewhere refuses to become a holder whose entity holds equity of another organization, unless that organization knows it by
// the same address and no claim waits there. Otherwise an organization could give away the holders of another one.
func (s *Service) checkElsewhere(
	ctx context.Context, account messages.User, here organization.ID, entity captable.EntityID, at time.Time,
) error {
	ids, err := s.Stakes.OrganizationsHeldBy(ctx, entity)
	if err != nil {
		return messages.Unavailable(ctx, "list organizations", err)
	}
	for _, id := range ids {
		if id == here {
			continue
		}
		view, err := s.Organizations.View(ctx, id)
		if err != nil {
			return err
		}
		member, ok := view.State.MemberOf(entity)
		if !ok || member.User == account.ID {
			continue
		}
		stored, err := s.Index.Particulars(ctx, id, entity)
		if err != nil {
			return messages.Unavailable(ctx, "read particulars", err)
		}
		_, waits := member.ClaimWaitsUntil(at)
		if waits || messages.CanonicalEmail(emailOf(stored[entity][fieldEmail])) != messages.CanonicalEmail(account.Email) {
			return fault.Refuse(fault.Conflict,
				"This holder also holds equity of another organization, which has another address. Ask it for an invitation.")
		}
	}
	return nil
}

// WaitingClaim is a holder with the verified address of an account that the account cannot claim yet.
type WaitingClaim struct {
	Organization organization.ID
	Name         string
	Member       organization.MemberID
	WaitsUntil   captable.Instant
}

// Waiting returns the waiting claims of the account, in the order of the organizations. It reads at most maxReceivedReads organizations.
func (i Inbox) Waiting(ctx context.Context, q ReceivedQuery) ([]WaitingClaim, error) {
	account, err := i.service.userOf(ctx, q.User)
	if err != nil {
		return nil, err
	}
	known, err := i.addressed(ctx, account)
	if err != nil {
		return nil, err
	}
	all := []WaitingClaim{}
	for _, one := range known[:min(len(known), maxReceivedReads)] {
		if !q.Reaches(one.Organization) {
			continue
		}
		view, err := i.service.Organizations.View(ctx, one.Organization)
		if messages.IsUnreadable(err) || fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		member, ok := view.State.MemberOf(one.Entity)
		if !ok {
			continue
		}
		if until, waits := member.ClaimWaitsUntil(q.At); waits {
			all = append(all, WaitingClaim{one.Organization, view.State.Profile().Name, member.ID, until})
		}
	}
	return all, nil
}
