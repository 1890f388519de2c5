import type { ReactNode } from 'react';
import { DayControl } from '~/day/DayControl';
import { ScrubberPlace } from '~/day/ScrubberPlace';
import { useMaybeCompany } from '~/shell/company';
import { Changed } from './Changed';
import { useTitle } from './useTitle';

type Props = {
  title: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/**
 * The frame of a page: its heading, which is also the title of the window, its actions, and its content. Pages of a company
 * also have the day and the scrubber.
 */
export function Page({ title, subtitle, actions, children }: Props) {
  const company = useMaybeCompany();
  useTitle(`${title} · ${company?.name ?? 'Equity'}`);
  return (
    <div className="mx-auto max-w-[1320px] px-8 pb-10 max-[900px]:px-4 print:max-w-none print:p-0">
      <header className="flex min-h-[76px] flex-wrap items-center gap-3 py-3">
        <div className="mr-auto">
          <h1 className="text-xl font-semibold tracking-[-0.015em]">{title}</h1>
          {subtitle && <div className="text-ink-3">{subtitle}</div>}
        </div>
        <div className="contents print:hidden">
          {company && <DayControl />}
          {actions}
        </div>
      </header>
      {company && <ScrubberPlace />}
      {children}
    </div>
  );
}

/** A part of a page with its heading. */
export function Section({ title, detail, actions, children }: Omit<Props, 'subtitle'> & { detail?: ReactNode }) {
  return (
    <section className="border-t border-line py-6 first:border-t-0 first:pt-0" aria-label={title}>
      <header className="mb-3 flex min-h-8 flex-wrap items-center gap-2">
        <h2 className="font-medium">{title}</h2>
        {detail && <span className="num text-ink-3">{detail}</span>}
        <div className="ml-auto flex flex-wrap gap-2">{actions}</div>
      </header>
      {children}
    </section>
  );
}

type FactsProps = { rows: (readonly [string, ReactNode] | false | undefined)[]; pairs?: boolean };

/** A list of names with values, such as the fields of a record. `pairs` places two of them on a line. */
export function Facts({ rows, pairs }: FactsProps) {
  return (
    <dl className={pairs ? 'grid gap-x-8 min-[900px]:grid-cols-2' : undefined}>
      {rows.map(
        (row, index) =>
          row && (
            <div
              key={`${row[0]} ${index.toString()}`}
              className="flex min-h-10 items-center justify-between gap-6 border-b border-line py-1.5"
            >
              <dt className="shrink-0 text-ink-3">{row[0]}</dt>
              <dd className="num min-w-0 text-right break-words">
                {typeof row[1] === 'string' ? <Changed value={row[1]} /> : row[1]}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
