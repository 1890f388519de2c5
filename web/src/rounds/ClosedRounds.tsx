import type { Schema } from '~/api/client';
import { type List, useList } from '~/api/list';
import { until, useDay } from '~/day/day';
import { day, today } from '~/format/dates';
import { amountCell, cell } from '~/format/figures';
import { words } from '~/format/words';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useClasses } from '~/records/useNames';
import type { Column } from '~/register/column';
import { useCompany } from '~/shell/company';
import { State, stateName } from '~/ui/State';

type Block = Schema<'Block'>;

/** Returns the state of a round: planned until its closing. */
const stateOf = (row: Block) => (row.closeDate && row.closeDate <= today() ? 'closed' : 'planned');

const columns: Column<Block>[] = [
  { id: 'name', header: 'Round', value: (row) => row.name, width: 'minmax(160px, 1.5fr)', narrow: 'title' },
  {
    id: 'kind',
    header: 'Kind',
    value: (row) => row.kind,
    cell: (row) => (row.kind ? words(row.kind) : '–'),
    narrow: 'detail',
    spare: 1,
  },
  {
    id: 'state',
    header: 'State',
    value: (row) => stateName(stateOf(row)),
    cell: (row) => <State of={stateOf(row)} />,
    width: '84px',
    spare: 3,
  },
  { id: 'closed', header: 'Closing', kind: 'date', value: (row) => row.closeDate, narrow: 'detail' },
  { id: 'holdings', header: 'Shareholdings', kind: 'decimal', value: (row) => row.holdings.length.toString() },
  {
    id: 'preMoney',
    header: 'Pre-money',
    kind: 'decimal',
    value: (row) => row.preMoney?.amount,
    cell: (row) => amountCell(row.preMoney),
    spare: 2,
  },
  {
    id: 'raised',
    header: 'Raised',
    kind: 'decimal',
    value: (row) => row.raised?.amount,
    cell: (row) => amountCell(row.raised),
    narrow: 'value',
  },
];

/** Returns the rounds of the day. */
function useRounds(): List<Block> {
  const { id: organization } = useCompany();
  const { asOf, knownAt } = useDay();
  const rounds = useList('/organization/{organization}/block', { path: { organization }, query: { knownAt } });
  return { ...rounds, rows: until(asOf, rounds.rows, (row) => row.closeDate) };
}

/** The button of a new round. */
export const NewRound = () => <CreateButtons postings={['createRound']} lists={{ createRound: useRounds() }} />;

/** The funding rounds that are closed or in preparation. */
export function ClosedRounds() {
  const { currency } = useCompany();
  const { nameOf } = useClasses();
  const rounds = useRounds();
  return (
    <RecordList
      label="Rounds"
      noun="round"
      list={rounds}
      columns={columns}
      kind="block"
      title={(row) => row.name}
      facts={(row) => [
        ['State', stateName(stateOf(row))],
        ['Kind', row.kind ? words(row.kind) : '–'],
        ['Closing', day(row.closeDate)],
        ['Pre-money', amountCell(row.preMoney)],
        ['Raised', amountCell(row.raised)],
        ['Paid for its shares', amountCell(row.invested, currency)],
        ['Classes', row.securities?.map(nameOf).filter(Boolean).join(', ') || '–'],
        ['Outstanding shareholdings', cell(row.holdings.length.toString())],
        (row.comments?.length ?? 0) > 0 && (['Note', row.comments?.join(' ')] as const),
      ]}
      empty={{
        title: 'No rounds yet',
        text: 'Model a round and close it, or record an earlier one.',
        post: 'createRound',
      }}
    />
  );
}
