import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '~/api/client';
import { type List, useList } from '~/api/list';
import { kindName } from '~/convertibles/kinds';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { cell, cents } from '~/format/figures';
import { typeName } from '~/grants/kinds';
import { useCompany } from '~/shell/company';
import { Swatch } from '~/ui/Chip';
import { Failure } from '~/ui/Notice';
import { heldAs, stateName } from '~/ui/State';

type Props = {
  entity: string;
  names: Map<string, string>;
  colors: Map<string, string>;
  convertibles: Schema<'CapTable'>['convertibles'];
};

type Entry = { id: string; page: string; name: ReactNode; detail: string; date: string | undefined; value: string };

/** Returns the status of a grant, after the end of service with the last day of exercise. */
const detailOf = (row: Schema<'Option'>) =>
  row.termination && row.exercisableUntil && row.outstanding !== '0'
    ? `${stateName(heldAs(row.status))}, exercisable until ${day(row.exercisableUntil)}`
    : stateName(heldAs(row.status));

/** The certificates, grants and convertibles of one holder. Each opens its record. */
export function Holdings({ entity, names, colors, convertibles }: Props) {
  const { id: organization } = useCompany();
  const { query } = useDay();
  const filter = { path: { organization }, query: { ...query, entity } };
  const shares = useList('/organization/{organization}/shareholding', filter);
  const grants = useList('/organization/{organization}/option', filter);
  const certificates = shares.rows
    .filter((row) => row.status === 'active' || row.status === 'accepted')
    .map((row) => ({
      id: row.id,
      page: 'shares',
      name: (
        <>
          <Swatch color={colors.get(row.security) ?? ''} />
          {row.certificate}
        </>
      ),
      detail: names.get(row.security) ?? '',
      date: row.issueDate,
      value: cell(row.shares),
    }));
  return (
    <>
      <Entries title="Certificates" list={shares} entries={certificates} />
      <Entries
        title="Grants"
        list={grants}
        entries={grants.rows.map((row) => ({
          id: row.id,
          page: 'grants',
          name: typeName(row.type),

          detail: detailOf(row),
          date: row.issueDate,
          value: cell(row.quantity),
        }))}
      />
      <Entries
        title="Convertibles"
        entries={convertibles.map((one) => ({
          id: one.holding,
          page: 'convertibles',
          name: kindName(one.kind),
          detail: one.maturityDate ? `due ${day(one.maturityDate)}` : '',
          date: one.issueDate,
          value: cents(one.balance, one.principal.currency),
        }))}
      />
    </>
  );
}

function Entries({ title, list, entries }: { title: string; list?: List<unknown>; entries: Entry[] }) {
  const { id: organization } = useCompany();
  const { query } = useDay();
  if (list?.error) return <Failure what={title} error={list.error} retry={list.refetch} />;
  if (!list?.loading && entries.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="mt-6 mb-1 font-medium">{title}</h3>
      {list?.loading && <div className="skeleton unsized h-9" />}
      <ul>
        {entries.map((entry) => (
          <li key={entry.id} className="border-b border-line">
            <Link
              to={`/company/$organization/${entry.page}` as '/company/$organization/shares'}
              params={{ organization }}
              search={{ ...query, open: entry.id }}
              className="flex h-9 items-center gap-4 hover:bg-hover"
            >
              <span className="flex min-w-16 items-center gap-2 font-medium">{entry.name}</span>
              <span className="min-w-0 flex-1 truncate text-ink-2">{entry.detail}</span>
              <span className="num text-ink-2 max-[900px]:hidden">{day(entry.date)}</span>
              <span className="num min-w-24 text-right max-[900px]:min-w-0">{entry.value}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
