import { day, moment } from '~/format/dates';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { type Invitation, useAnswer } from './useInvitations';

/** An invitation to a company, with its answers. */
export function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { organization, roles, inviter, sentAt, expiresAt, waitsUntil } = invitation;
  const answer = useAnswer(invitation);
  const waits = waitsUntil !== undefined && new Date(waitsUntil) > new Date();
  const from = [
    inviter && `from ${inviter}`,
    waits && `your address was entered recently, accept after ${moment(waitsUntil)}`,
    `answer until ${day(expiresAt)}`,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1 max-[900px]:py-2">
      <span className="min-w-0 flex-1 max-[900px]:basis-full">
        <span className="font-medium">
          Invitation to {organization.name}
          {roles.length > 0 && ` as ${roles.join(', ')}`}
        </span>{' '}
        <span className="text-ink-2">{from}</span>
      </span>
      <Button look="primary" disabled={answer.isPending || waits} onClick={() => answer.mutate('accept')}>
        Accept
      </Button>
      <ConfirmButton
        label="Decline"
        consequence="The invitation ends. Only a new invitation of the company makes you a member."
        onConfirm={() => answer.mutate('decline')}
      />
      <span className="num whitespace-nowrap text-ink-3 max-[900px]:ml-auto">{day(sentAt)}</span>
    </li>
  );
}
