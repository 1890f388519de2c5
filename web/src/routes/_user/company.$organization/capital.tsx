import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { Statements } from '~/capital/Statements';
import { until, useDay } from '~/day/day';
import { day } from '~/format/dates';
import { cents } from '~/format/figures';
import { words } from '~/format/words';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useHolders } from '~/records/useNames';
import type { Column, Filter } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/capital')({ component: CapitalPage });

type Change = Schema<'CapitalChange'>;

const filters: Filter<Change>[] = [
  {
    id: 'kind',
    label: 'Kinds',
    choices: [
      { value: 'contribution', label: 'Contributions' },
      { value: 'distribution', label: 'Distributions' },
      { value: 'withdrawal', label: 'Withdrawals' },
    ],
    value: (row) => row.kind,
  },
];

/** The contributions, distributions and withdrawals of capital, and the statement of the user. */
function CapitalPage() {
  const company = useCompany();
  const { asOf, knownAt } = useDay();
  const { nameOf } = useHolders();
  const all = useList('/organization/{organization}/capitalChange', {
    path: { organization: company.id },
    query: { knownAt },
  });
  const list = { ...all, rows: until(asOf, all.rows, (row) => row.date) };
  const columns: Column<Change>[] = [
    { id: 'date', header: 'Date', kind: 'date', value: (row) => row.date, narrow: 'detail' },
    {
      id: 'holder',
      header: 'Holder',
      value: (row) => nameOf(row.entity),
      width: 'minmax(160px, 1.5fr)',
      narrow: 'title',
    },
    { id: 'kind', header: 'Kind', value: (row) => words(row.kind), narrow: 'detail' },
    {
      id: 'amount',
      header: 'Amount',
      kind: 'decimal',
      value: (row) => row.amount.amount,
      cell: (row) => cents(row.amount.amount, row.amount.currency),
      narrow: 'value',
    },
    { id: 'note', header: 'Note', value: (row) => row.note },
  ];
  return (
    <Page
      title="Capital and statements"
      actions={<CreateButtons postings={['recordCapital']} lists={{ recordCapital: list }} />}
    >
      <section className="print:hidden">
        <RecordList
          label="Capital changes"
          noun="change"
          list={list}
          columns={columns}
          order="-date"
          filters={filters}
          kind="capitalChange"
          title={(row) => `${words(row.kind)}, ${day(row.date)}`}
          facts={(row) => [
            ['Holder', nameOf(row.entity) || '–'],
            ['Amount', cents(row.amount.amount, row.amount.currency)],
            ['Date', day(row.date)],
            row.note !== undefined && (['Note', row.note] as const),
          ]}
          empty={{
            title: 'No capital changes',
            text: 'Contributions and distributions of capital appear here.',
            post: 'recordCapital',
          }}
        />
      </section>
      <Statements />
    </Page>
  );
}
