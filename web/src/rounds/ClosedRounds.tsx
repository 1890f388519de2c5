import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { until, useDay } from '~/day/day';
import { price } from '~/format/figures';
import { words } from '~/format/words';
import type { Column } from '~/register/column';
import { Register } from '~/register/Register';
import { useCompany } from '~/shell/company';
import { Empty, Failure } from '~/ui/Notice';

type Block = Schema<'Block'>;

const columns: Column<Block>[] = [
  { id: 'name', header: 'Round', value: (row) => row.name, width: 'minmax(160px, 1.5fr)', narrow: 'title' },
  {
    id: 'kind',
    header: 'Kind',
    value: (row) => row.kind,
    cell: (row) => (row.kind ? words(row.kind) : '–'),
    narrow: 'detail',
  },
  { id: 'closed', header: 'Closing', kind: 'date', value: (row) => row.closeDate, narrow: 'detail' },
  {
    id: 'preMoney',
    header: 'Pre-money',
    kind: 'decimal',
    value: (row) => row.preMoney?.amount,
    cell: (row) => price(row.preMoney, ''),
  },
  {
    id: 'raised',
    header: 'Raised',
    kind: 'decimal',
    value: (row) => row.raised?.amount,
    cell: (row) => price(row.raised, ''),
    narrow: 'value',
  },
  { id: 'holdings', header: 'Shareholdings', kind: 'decimal', value: (row) => row.holdings.length.toString() },
];

/** The funding rounds that are closed or in preparation. */
export function ClosedRounds() {
  const { id: organization } = useCompany();
  const { asOf, knownAt } = useDay();
  const rounds = useList('/organization/{organization}/block', { path: { organization }, query: { knownAt } });
  if (rounds.error) return <Failure what="The rounds" error={rounds.error} retry={rounds.refetch} />;
  return (
    <Register
      label="Rounds"
      noun="round"
      rows={until(asOf, rounds.rows, (row) => row.closeDate)}
      columns={columns}
      rowId={(row) => row.id}
      loading={rounds.loading}
      empty={<Empty title="No rounds yet">Model a round and close it.</Empty>}
    />
  );
}
