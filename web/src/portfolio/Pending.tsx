import { Link } from '@tanstack/react-router';
import { kindName } from '~/convertibles/kinds';
import { day } from '~/format/dates';
import { quantity } from '~/format/figures';
import { counted } from '~/format/words';
import { nounOf, typeName } from '~/grants/kinds';
import { Failure } from '~/ui/Notice';
import { Section } from '~/ui/Page';
import { ClaimRow } from './ClaimRow';
import { InvitationRow } from './InvitationRow';
import { RefusedRow } from './RefusedRow';
import type { useClaims, useInvitations } from './useInvitations';
import type { useRefused } from './useRefused';
import type { CompanyTask, Task, useWaiting } from './useWaiting';

type Place = { page: 'shares' | 'convertibles' | 'grants'; text: (task: Task) => string };

const grants = (task: Task) => `${typeName(task.name)} ${nounOf(task.name)}`;

const places: Record<Task['kind'], Place> = {
  acceptance: { page: 'shares', text: (task) => `Accept shares ${task.name}` },
  holdingAcceptance: { page: 'convertibles', text: (task) => `Accept ${kindName(task.name)}` },
  grantAcceptance: { page: 'grants', text: (task) => `Accept grant of ${grants(task)}` },
  exerciseRequest: {
    page: 'grants',
    text: (task) => `Answer exercise request: ${quantity(task.quantity ?? '0')} ${grants(task)}`,
  },
  repurchase: { page: 'shares', text: (task) => `Repurchase unvested shares ${task.name}` },
};

/** Acceptances are of the user's own holdings, so that they need no name of a holder. */
const holderOf = ({ kind, holder }: Task) => (/acceptance$/i.test(kind) ? undefined : holder);

type Props = {
  waiting: ReturnType<typeof useWaiting>;
  claims: ReturnType<typeof useClaims>;
  refused: ReturnType<typeof useRefused>;
};

/** The invitations of the user; nothing without one. */
export function Invitations({ rows, error, refetch }: ReturnType<typeof useInvitations>) {
  if (rows.length === 0 && error === null) return null;
  return (
    <Section title="Invitations">
      {rows.length > 0 && (
        <ul className="border-t border-line">
          {rows.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
      {error !== null && <Failure what="The invitations" error={error} retry={refetch} />}
    </Section>
  );
}

/** The items that wait for the user: tasks of all companies, and refused imports. */
export function Pending({ waiting, claims, refused }: Props) {
  const { tasks, more, failed } = waiting;
  if (waiting.isPending) return <div className="skeleton unsized h-10" />;
  const listed = claims.length + tasks.length + refused.imports.length;
  return (
    <>
      {listed > 0 && (
        <ul className="border-t border-line">
          {claims.map((claim) => (
            <ClaimRow key={claim.id} claim={claim} />
          ))}
          {tasks.map((one) => (
            <Row key={`${one.task.kind} ${one.task.id} ${one.task.request}`} {...one} />
          ))}
          {refused.imports.map((one) => (
            <RefusedRow key={one.organization} refused={one} onDismiss={() => refused.dismiss(one.organization)} />
          ))}
        </ul>
      )}
      {more > 0 && <p className="py-2 text-ink-3">{counted(more, 'more item')}</p>}
      {failed.length > 0 && (
        <Failure
          what={`The items of ${failed.map((company) => company.name).join(', ')}`}
          error={waiting.error}
          retry={waiting.retry}
        />
      )}
      {listed === 0 && failed.length === 0 && <p className="text-ink-3">Nothing is waiting for you.</p>}
    </>
  );
}

function Row({ task, company }: CompanyTask) {
  const { page, text } = places[task.kind];
  return (
    <li className="border-b border-line">
      <Link
        to={`/company/$organization/${page}`}
        params={{ organization: company.id }}
        search={{ open: task.id }}
        className="flex min-h-10 items-center gap-3 py-1 hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="font-medium">{text(task)}</span> <span className="text-ink-2">{holderOf(task)}</span>
        </span>
        <span className="text-ink-3 max-[900px]:hidden">{company.name}</span>
        <span className="num whitespace-nowrap text-ink-3">{day(task.since)}</span>
      </Link>
    </li>
  );
}
