import type { Schema } from '~/api/client';
import { kindColors } from '~/charts/colors';
import { ratio } from '~/decimal/geometry';
import { cell, percent } from '~/format/figures';
import { Table } from '~/ui/Table';

type Row = Schema<'RoundRow'>;

const colors = { holder: 'var(--ink-2)', promised: kindColors.options, pool: kindColors.pools };

/** The ownership of each holder before and after the round, with both fractions drawn to one scale. */
export function BeforeAfter({ rows }: { rows: Row[] }) {
  const widest = rows.reduce(
    (most, row) => Math.max(most, ratio(row.percentBefore, '1'), ratio(row.percentAfter, '1')),
    0.01,
  );
  return (
    <Table
      label="Ownership before and after"
      rows={rows}
      rowKey={(row) => `${row.kind} ${row.entity ?? row.name}`}
      columns={[
        { header: 'Holder', cell: (row) => row.name },
        {
          header: 'Drawing',
          title: <span className="sr-only">Drawing</span>,
          wide: true,
          cell: (row) => <Bars row={row} widest={widest} />,
        },
        { header: 'Before', figure: true, cell: (row) => cell(row.sharesBefore) },
        { header: '% before', figure: true, cell: (row) => percent(row.percentBefore, row.sharesBefore) },
        { header: 'After', figure: true, cell: (row) => cell(row.sharesAfter) },
        { header: '% after', figure: true, cell: (row) => percent(row.percentAfter, row.sharesAfter) },
      ]}
    />
  );
}

const Bars = ({ row, widest }: { row: Row; widest: number }) => (
  <span aria-hidden className="block min-w-32">
    {[row.percentBefore, row.percentAfter].map((fraction, index) => (
      <span
        key={index === 0 ? 'before' : 'after'}
        className="my-0.5 block h-1.5 rounded-full"
        style={{
          width: `${(ratio(fraction, '1') / widest) * 100}%`,
          background: index === 0 ? kindColors.rest : colors[row.kind],
        }}
      />
    ))}
  </span>
);
