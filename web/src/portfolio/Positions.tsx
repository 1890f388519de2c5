import { Link } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { kindName } from '~/convertibles/kinds';
import { cut, isNegative } from '~/decimal/decimal';
import { amountCell, exactPercent, money, quantity } from '~/format/figures';
import { Chip } from '~/ui/Chip';
import { Table } from '~/ui/Table';

type Position = Schema<'PortfolioPosition'>;

/** Returns a growth with one sign and at most two decimals of a percentage. */
function Growth({ value }: { value: string }) {
  const text = exactPercent(cut(value, 4));
  return <span className={isNegative(value) ? 'text-neg' : 'text-pos'}>{isNegative(value) ? text : `+${text}`}</span>;
}

/** The positions of the user in all companies. */
export function Positions({ positions }: { positions: Position[] }) {
  return (
    <Table
      label="Positions"
      rows={positions}
      rowKey={(row) => `${row.organization.id} ${row.holding ?? row.security?.id} ${row.kind}`}
      columns={[
        {
          header: 'Company',
          cell: (row) => (
            <Link
              to="/company/$organization/shares"
              params={{ organization: row.organization.id }}
              className="hover:underline"
            >
              {row.organization.name}
            </Link>
          ),
        },
        { header: 'Position', cell: (row) => row.security?.name ?? kindName(row.kind) },
        { header: 'Kind', cell: (row) => <Chip>{kindName(row.kind)}</Chip> },
        { header: 'Quantity', figure: true, cell: (row) => (row.shares === '0' ? '–' : quantity(row.shares)) },
        {
          header: 'Exercisable',
          figure: true,
          cell: (row) =>
            row.exercisable ? (
              <span title={row.exercisePrice && `at ${money(row.exercisePrice.amount, row.exercisePrice.currency)}`}>
                {quantity(row.exercisable)}
              </span>
            ) : (
              '–'
            ),
        },
        { header: 'Invested', figure: true, cell: (row) => amountCell(row.invested) },
        { header: 'Value', figure: true, cell: (row) => amountCell(row.value) },
        { header: 'Growth', figure: true, cell: (row) => (row.growth ? <Growth value={row.growth} /> : '–') },
      ]}
    />
  );
}
