import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { price, quantity } from '~/format/figures';
import { words } from '~/format/words';
import { useCompany } from '~/shell/company';
import { nounOf, reasonName } from './kinds';

type Entry = { date: string; text: string; detail?: ReactNode };

/** What happened to a grant, in order of date. */
export function GrantHistory({ row }: { row: Schema<'Option'> }) {
  const { id: organization, currency } = useCompany();
  const { query } = useDay();
  const noun = nounOf(row.type);
  const shares = (id: string | undefined) =>
    id && (
      <Link
        to="/company/$organization/shares"
        params={{ organization }}
        search={{ ...query, open: id }}
        className="text-accent hover:underline"
      >
        Shares
      </Link>
    );
  const entries: Entry[] = [
    { date: row.issueDate, text: `${quantity(row.quantity)} ${noun} granted` },
    ...(row.acceptedOn ? [{ date: row.acceptedOn, text: 'Accepted' }] : []),
    ...(row.happenings ?? []).map((one) => ({ date: one.date, text: `Milestone reached: ${one.condition}` })),
    ...(row.accelerations ?? []).map((one) => ({
      date: one.date,
      text: `Vesting of ${quantity(one.quantity)} accelerated`,
    })),
    ...(row.repricings ?? []).map((one) => ({
      date: one.date,
      text: `Repriced from ${price(one.from, currency)} to ${price(one.to, currency)}`,
      detail: one.reason,
    })),
    ...(row.takings ?? []).map((one) => ({
      date: one.date,
      text: `${quantity(one.quantity)} ${words(one.kind).toLowerCase()}`,
      detail: shares(one.shareholding) ?? one.reason,
    })),
    ...(row.termination
      ? [{ date: row.termination.date, text: 'Service ended', detail: reasonName(row.termination.reason) }]
      : []),
  ].sort((a, b) => a.date.localeCompare(b.date));
  return (
    <section aria-label="History">
      <h3 className="mt-6 mb-1 font-medium">History</h3>
      <ol>
        {entries.map((entry, index) => (
          <li
            key={`${entry.date} ${index.toString()}`}
            className="flex min-h-9 items-center gap-4 border-b border-line py-1.5"
          >
            <span className="num w-[92px] shrink-0 text-ink-3">{day(entry.date)}</span>
            <span className="min-w-0 flex-1">{entry.text}</span>
            {entry.detail && <span className="text-right text-ink-2">{entry.detail}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
