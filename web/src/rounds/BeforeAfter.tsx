import { useMemo } from 'react';
import type { Schema } from '~/api/client';
import { kindColors } from '~/charts/colors';
import { ratio } from '~/decimal/geometry';
import { percent } from '~/format/figures';
import type { Column } from '~/register/column';
import { Register } from '~/register/Register';
import { Empty } from '~/ui/Notice';
import { useNarrow } from '~/ui/useNarrow';

type Row = Schema<'RoundRow'>;

const colors = { holder: 'var(--ink-2)', promised: kindColors.options, pool: kindColors.pools };

const rowId = (row: Row) => `${row.kind} ${row.entity ?? row.name}`;

/** The ownership of each holder before and after the round, with both fractions drawn to one scale. A company may have thousands of holders. */
export function BeforeAfter({ rows }: { rows: Row[] }) {
  const narrow = useNarrow();
  const columns = useMemo((): Column<Row>[] => {
    const widest = rows.reduce(
      (most, row) => Math.max(most, ratio(row.percentBefore, '1'), ratio(row.percentAfter, '1')),
      0.01,
    );
    const all: Column<Row>[] = [
      { id: 'holder', header: 'Holder', value: (row) => row.name, width: 'minmax(150px, 2fr)', narrow: 'title' },
      { id: 'drawing', header: '', value: () => '', cell: (row) => <Bars row={row} widest={widest} />, spare: 1 },
      { id: 'before', header: 'Before', kind: 'decimal', value: (row) => row.sharesBefore },
      {
        id: 'percentBefore',
        header: '% before',
        kind: 'decimal',
        value: (row) => row.percentBefore,
        cell: (row) => percent(row.percentBefore, row.sharesBefore),
      },
      { id: 'after', header: 'After', kind: 'decimal', value: (row) => row.sharesAfter },
      {
        id: 'percentAfter',
        header: '% after',
        kind: 'decimal',
        value: (row) => row.percentAfter,
        cell: (row) => percent(row.percentAfter, row.sharesAfter),
        narrow: 'value',
      },
    ];
    return narrow ? all.filter((column) => column.id !== 'drawing') : all;
  }, [rows, narrow]);
  return (
    <Register
      label="Ownership"
      noun="row"
      name="ownership"
      rows={rows}
      columns={columns}
      rowId={rowId}
      empty={<Empty title="No holders yet">The round has the first holders.</Empty>}
    />
  );
}

const Bars = ({ row, widest }: { row: Row; widest: number }) => (
  <span aria-hidden className="block min-w-24">
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
