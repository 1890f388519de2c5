import { Fragment } from 'react';
import type { Schema } from '~/api/client';
import { ratio } from '~/decimal/geometry';
import { cell, percent } from '~/format/figures';
import { useNarrow } from '~/ui/useNarrow';

const colors = { holder: 'var(--c-a)', promised: 'var(--c-options)', pool: 'var(--c-options)' };

/** The ownership of each holder before and after the round, with both fractions drawn to one scale. */
export function BeforeAfter({ rows }: { rows: Schema<'RoundRow'>[] }) {
  const narrow = useNarrow();
  const widest = rows.reduce(
    (most, row) => Math.max(most, ratio(row.percentBefore, '1'), ratio(row.percentAfter, '1')),
    0.01,
  );
  const columns = ['Holder', '', 'Before', '% before', 'After', '% after'];
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="h-9 border-b border-line text-ink-3">
          {columns.map(
            (header, index) =>
              !(narrow && [1, 2, 4].includes(index)) && (
                <th
                  key={`${header}${index}`}
                  scope="col"
                  className={`pl-4 font-normal first:pl-0 ${index > 1 ? 'text-right' : 'text-left'}`}
                >
                  {header || <span className="sr-only">Drawing</span>}
                </th>
              ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.kind} ${row.entity ?? row.name}`} className="h-10 border-b border-line">
            <td className="font-medium">{row.name}</td>
            {!narrow && (
              <td className="w-1/4 min-w-32 pl-4">
                {[row.percentBefore, row.percentAfter].map((fraction, index) => (
                  <Fragment key={index === 0 ? 'before' : 'after'}>
                    <span
                      aria-hidden
                      className="my-0.5 block h-1.5 rounded-full"
                      style={{
                        width: `${(ratio(fraction, '1') / widest) * 100}%`,
                        background: index === 0 ? 'var(--c-rest)' : colors[row.kind],
                      }}
                    />
                  </Fragment>
                ))}
              </td>
            )}
            {!narrow && <td className="num pl-4 text-right text-ink-2">{cell(row.sharesBefore)}</td>}
            <td className="num pl-4 text-right text-ink-2">{percent(row.percentBefore)}</td>
            {!narrow && <td className="num pl-4 text-right">{cell(row.sharesAfter)}</td>}
            <td className="num pl-4 text-right font-medium">{percent(row.percentAfter)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
