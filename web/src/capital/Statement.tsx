import { api, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { sum } from '~/decimal/decimal';
import { addDays } from '~/format/dates';
import { amountCell, cell, cents, price } from '~/format/figures';
import { words } from '~/format/words';
import { Letterhead } from '~/records/Letterhead';
import { useCompany } from '~/shell/company';
import { Failure } from '~/ui/Notice';
import { Table } from '~/ui/Table';
import { type Movement, movements } from './movements';

const kinds: Record<string, string> = { safe: 'SAFE', convertibleNote: 'Note', custom: 'Convertible', option: 'Grant' };

/** Returns the sum of amounts by currency. */
function sums(values: (Schema<'Money'> | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  const currencies = [...new Set(known.map((value) => value.currency))];
  return currencies
    .map((currency) =>
      cents(sum(known.filter((value) => value.currency === currency).map((value) => value.amount)), currency),
    )
    .join(', ');
}

type Props = { entity: string; name: string; from: string };

const usePortfolio = (entity: string, asOf: string | undefined) =>
  api.useQuery(
    'get',
    '/entity/{entity}/profile',
    { params: { path: { entity }, query: asOf ? { asOf } : {} } },
    { retry: false },
  );

/** The positions of a holder in the company at the end of the day, with the changes since the first day, as a page to print. */
export function Statement({ entity, name, from }: Props) {
  const company = useCompany();
  const { asOf, knownAt, date } = useDay();
  const opening = usePortfolio(entity, addDays(from, -1));
  const portfolio = usePortfolio(entity, asOf);
  if (knownAt !== undefined)
    return (
      <p className="text-ink-3">A statement shows a day, not an earlier state of the journal. Choose a day instead.</p>
    );
  if (portfolio.isError) return <Failure what="The statement" error={portfolio.error} retry={portfolio.refetch} />;
  if (opening.isError) return <Failure what="The statement" error={opening.error} retry={opening.refetch} />;
  if (portfolio.isPending || opening.isPending) return <div className="skeleton h-32" />;
  const inCompany = ({ positions }: Schema<'Portfolio'>) =>
    positions.filter((position) => position.organization.id === company.id);
  const rows = movements(inCompany(opening.data), inCompany(portfolio.data));
  return (
    <>
      <Letterhead entity={entity} name={name || undefined} from={from} to={date} />
      {rows.length === 0 ? (
        <p className="text-ink-3">No positions in this period.</p>
      ) : (
        <Table
          label="Positions"
          rows={rows}
          rowKey={(row) => `${row.holding ?? row.security?.id} ${row.kind}`}
          columns={[
            { header: 'Position', cell: (row) => row.security?.name ?? kinds[row.kind] ?? words(row.kind) },
            { header: 'Kind', cell: (row) => kinds[row.kind] ?? words(row.kind) },
            { header: 'At the start', figure: true, cell: (row) => cell(row.before) },
            { header: 'Change', figure: true, cell: (row) => cell(row.change) },
            { header: 'At the end', figure: true, cell: (row) => cell(row.shares) },
            { header: 'Exercisable', figure: true, cell: (row) => cell(row.exercisable) },
            { header: 'Exercise price', figure: true, cell: (row) => price(row.exercisePrice, company.currency) },
            { header: 'Invested', figure: true, cell: (row) => amountCell(row.invested) },
            { header: 'Value per share', figure: true, cell: (row) => price(row.pricePerShare, company.currency) },
            { header: 'Value', figure: true, cell: (row: Movement) => amountCell(row.value) },
          ]}
          sums={[
            'Total',
            '',
            '',
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
