import { api, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { sum } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { amount, amountCell, cell } from '~/format/figures';
import { words } from '~/format/words';
import { useCompany } from '~/shell/company';
import { Failure } from '~/ui/Notice';
import { Table } from '~/ui/Table';

type Position = Schema<'PortfolioPosition'>;

const kinds: Record<string, string> = { safe: 'SAFE', convertibleNote: 'Note', custom: 'Convertible', option: 'Grant' };

/** Returns the sum of amounts by currency. */
function sums(values: (Schema<'Money'> | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  const currencies = [...new Set(known.map((value) => value.currency))];
  return currencies
    .map((currency) =>
      amount(sum(known.filter((value) => value.currency === currency).map((value) => value.amount)), currency),
    )
    .join(', ');
}

/** The positions of a holder in the company on the day, with the payments of capital, as a page to print. */
export function Statement({ entity, name }: { entity: string; name: string }) {
  const company = useCompany();
  const { asOf, knownAt, date } = useDay();
  const portfolio = api.useQuery(
    'get',
    '/entity/{entity}/profile',
    { params: { path: { entity }, query: asOf ? { asOf } : {} } },
    { retry: false },
  );
  if (knownAt !== undefined)
    return (
      <p className="text-ink-3">A statement shows a day, not an earlier state of the journal. Choose a day instead.</p>
    );
  if (portfolio.isError) return <Failure what="The statement" error={portfolio.error} retry={portfolio.refetch} />;
  if (portfolio.isPending) return <div className="skeleton h-32" />;
  const rows = portfolio.data.positions.filter((position) => position.organization.id === company.id);
  return (
    <>
      <p className="mb-3 text-ink-2">
        <span className="font-medium text-ink">{name}</span>, {company.legalName ?? company.name}, at the end of{' '}
        <span className="num">{day(date)}</span>
      </p>
      {rows.length === 0 ? (
        <p className="text-ink-3">No positions on this day.</p>
      ) : (
        <Table
          label="Positions"
          rows={rows}
          rowKey={(row) => `${row.holding ?? row.security?.id} ${row.kind}`}
          columns={[
            { header: 'Position', cell: (row) => row.security?.name ?? kinds[row.kind] ?? words(row.kind) },
            { header: 'Kind', cell: (row) => kinds[row.kind] ?? words(row.kind) },
            { header: 'Quantity', figure: true, cell: (row) => cell(row.shares) },
            { header: 'Exercisable', figure: true, cell: (row) => cell(row.exercisable) },
            { header: 'Exercise price', figure: true, cell: (row) => amountCell(row.exercisePrice) },
            { header: 'Invested', figure: true, cell: (row) => amountCell(row.invested) },
            { header: 'Value per share', figure: true, cell: (row) => amountCell(row.pricePerShare) },
            { header: 'Value', figure: true, cell: (row: Position) => amountCell(row.value) },
          ]}
          sums={[
            'Total',
            '',
            '',
            '',
            '',
            sums(rows.map((row) => row.invested)),
            '',
            sums(rows.map((row) => row.value)),
          ]}
        />
      )}
    </>
  );
}
