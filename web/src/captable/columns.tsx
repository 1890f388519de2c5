import type { Schema } from '~/api/client';
import { sum } from '~/decimal/decimal';
import { cell, cents, percent } from '~/format/figures';
import type { Column } from '~/register/column';
import { Why } from '~/why/Why';
import type { Basis } from './slices';

type Table = Schema<'CapTable'>;
type Holder = Schema<'CapTableHolder'>;

const total = (rows: Holder[], of: (row: Holder) => string | undefined) => cell(sum(rows.map((row) => of(row) ?? '0')));

/** Returns the columns of the holders. The columns of single classes are hidden at first. */
export function columnsOf(table: Table, basis: Basis): Column<Holder>[] {
  const explained = (row: Holder, figure: string, label: string, text: string) => (
    <Why figure={`holder/${row.entity}/${figure}`} label={`${row.name}, ${label}`}>
      {text}
    </Why>
  );
  const outstanding: Column<Holder> = {
    id: 'outstanding',
    header: '% outstanding',
    kind: 'decimal',
    value: (row) => row.percentOutstanding,
    cell: (row) => explained(row, 'percentOutstanding', '% outstanding', percent(row.percentOutstanding)),
    narrow: basis === 'outstanding' ? 'value' : undefined,
    extra: basis !== 'outstanding',
  };
  const diluted: Column<Holder> = {
    id: 'diluted',
    header: '% fully diluted',
    kind: 'decimal',
    value: (row) => row.percentFullyDiluted,
    cell: (row) => explained(row, 'percentFullyDiluted', '% fully diluted', percent(row.percentFullyDiluted)),
    narrow: basis === 'fullyDiluted' ? 'value' : undefined,
    extra: basis !== 'fullyDiluted',
  };
  return [
    { id: 'name', header: 'Holder', value: (row) => row.name, width: 'minmax(180px, 2fr)', narrow: 'title' },
    {
      id: 'shares',
      header: 'Shares',
      kind: 'decimal',
      value: (row) => row.shares ?? '0',
      cell: (row) => explained(row, 'shares', 'shares', cell(row.shares)),
      sum: (rows) => total(rows, (row) => row.shares),
      narrow: 'value',
    },
    ...table.securities.map(
      (security): Column<Holder> => ({
        id: security.id,
        header: security.name,
        kind: 'decimal',
        extra: true,
        value: (row) => row.bySecurity.find((position) => position.security === security.id)?.shares ?? '0',
        sum: (rows) =>
          total(rows, (row) => row.bySecurity.find((position) => position.security === security.id)?.shares),
      }),
    ),
    {
      id: 'options',
      header: 'Options',
      kind: 'decimal',
      value: (row) => row.options,
      sum: (rows) => total(rows, (row) => row.options),
    },
    {
      id: 'warrants',
      header: 'Warrants',
      kind: 'decimal',
      extra: true,
      value: (row) => row.warrants ?? '0',
      sum: (rows) => total(rows, (row) => row.warrants),
    },
    outstanding,
    diluted,
    {
      id: 'invested',
      header: 'Invested',
      kind: 'decimal',
      value: (row) => row.invested,
      cell: (row) => (row.invested === '0' ? '–' : cents(row.invested, table.currency)),
      sum: (rows) => cents(sum(rows.map((row) => row.invested)), table.currency),
    },
  ];
}
