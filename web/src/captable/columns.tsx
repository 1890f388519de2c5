import type { Schema } from '~/api/client';
import { compare, type Decimal, isZero, sum } from '~/decimal/decimal';
import { cell, cents, percent } from '~/format/figures';
import type { Column } from '~/register/column';
import { Why } from '~/why/Why';
import type { Basis } from './slices';

type Table = Schema<'CapTable'>;
type Holder = Schema<'CapTableHolder'>;

/** Returns the shares, options and warrants of a holder. Their percentage may have too few decimals. */
export const dilutedOf = ({ shares = '0', options, warrants = '0' }: Holder): Decimal =>
  sum([shares, options, warrants]);

type Whole = { figure: string; name: string; value: Decimal | undefined };

/** Returns the sum of the displayed rows. A sum over all holders is explained as the figure of the company. */
function total(rows: Holder[], of: (row: Holder) => string | undefined, { figure, name, value }: Whole) {
  const displayed = sum(rows.map((row) => of(row) ?? '0'));
  if (isZero(displayed) || compare(displayed, value ?? '0') !== 0) return cell(displayed);
  return (
    <Why figure={figure} label={name}>
      {cell(displayed)}
    </Why>
  );
}

/** Returns the columns of the holders. The columns of single classes are hidden at first. */
export function columnsOf(table: Table, basis: Basis): Column<Holder>[] {
  const { totals } = table;
  const explained = (row: Holder, figure: string, label: string, text: string) =>
    text === '–' ? (
      text
    ) : (
      <Why figure={`holder/${row.entity}/${figure}`} label={`${row.name}, ${label}`}>
        {text}
      </Why>
    );
  const outstanding: Column<Holder> = {
    id: 'outstanding',
    header: '% outstanding',
    kind: 'decimal',
    value: (row) => row.percentOutstanding,
    cell: (row) => explained(row, 'percentOutstanding', '% outstanding', percent(row.percentOutstanding, row.shares)),
    narrow: basis === 'outstanding' ? 'value' : undefined,
    extra: basis !== 'outstanding',
  };
  const diluted: Column<Holder> = {
    id: 'diluted',
    header: '% fully diluted',
    kind: 'decimal',
    value: (row) => row.percentFullyDiluted,
    cell: (row) =>
      explained(row, 'percentFullyDiluted', '% fully diluted', percent(row.percentFullyDiluted, dilutedOf(row))),
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
      sum: (rows) =>
        total(rows, (row) => row.shares, {
          figure: 'total/outstanding',
          name: 'All shares',
          value: totals.outstanding,
        }),
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
          total(rows, (row) => row.bySecurity.find((position) => position.security === security.id)?.shares, {
            figure: `security/${security.id}/outstanding`,
            name: security.name,
            value: security.outstanding,
          }),
      }),
    ),
    {
      id: 'options',
      header: 'Options',
      kind: 'decimal',
      value: (row) => row.options,
      cell: (row) => explained(row, 'options', 'options', cell(row.options)),
      sum: (rows) =>
        total(rows, (row) => row.options, { figure: 'total/options', name: 'All options', value: totals.options }),
    },
    {
      id: 'warrants',
      header: 'Warrants',
      kind: 'decimal',
      extra: true,
      value: (row) => row.warrants ?? '0',
      cell: (row) => explained(row, 'warrants', 'warrants', cell(row.warrants)),
      sum: (rows) =>
        total(rows, (row) => row.warrants, { figure: 'total/warrants', name: 'All warrants', value: totals.warrants }),
    },
    outstanding,
    diluted,
    {
      id: 'invested',
      header: 'Cost',
      kind: 'decimal',
      value: (row) => row.invested,
      cell: (row) => (row.invested === '0' ? '–' : cents(row.invested, table.currency)),
      sum: (rows) => cents(sum(rows.map((row) => row.invested)), table.currency),
    },
  ];
}
