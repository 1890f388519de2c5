import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { amountCell, money, price } from '~/format/figures';
import { words } from '~/format/words';
import { FileLink } from '~/records/FileLink';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useClasses } from '~/records/useNames';
import type { Column } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Page } from '~/ui/Page';
import { State, stateName } from '~/ui/State';

export const Route = createFileRoute('/_user/company/$organization/valuations')({ component: ValuationsPage });

type Valuation = Schema<'Valuation'>;

const kindOf = (row: Valuation) => (row.type === '409A' ? '409A' : words(row.type));

/** The valuations of the company and its classes. */
function ValuationsPage() {
  const { id: organization } = useCompany();
  const { date, query } = useDay();
  const { nameOf } = useClasses();
  const list = useList('/organization/{organization}/valuation', {
    path: { organization },
    query: { knownAt: query.knownAt },
  });
  const state = (row: Valuation) =>
    row.effectiveDate > date ? 'future' : row.expiresOn && row.expiresOn < date ? 'expired' : 'valid';
  const columns: Column<Valuation>[] = [
    { id: 'effective', header: 'Effective', kind: 'date', value: (row) => row.effectiveDate, narrow: 'title' },
    { id: 'type', header: 'Type', value: kindOf, width: '92px', narrow: 'detail', spare: 1 },
    { id: 'class', header: 'Class', value: (row) => nameOf(row.security), narrow: 'detail' },
    {
      id: 'price',
      header: 'Price per share',
      kind: 'decimal',
      value: (row) => row.pricePerShare?.amount,
      cell: (row) => price(row.pricePerShare),
      narrow: 'value',
    },
    {
      id: 'value',
      header: 'Company value',
      kind: 'decimal',
      value: (row) => row.companyValue?.amount,
      cell: (row) => amountCell(row.companyValue),
      spare: 2,
    },
    { id: 'provider', header: 'Provider', value: (row) => row.provider, width: 'minmax(140px, 2fr)', spare: 3 },
    { id: 'expires', header: 'Expires', kind: 'date', value: (row) => row.expiresOn },
    {
      id: 'state',
      header: 'State',
      value: (row) => stateName(state(row)),
      width: '90px',
      cell: (row) => <State of={state(row)} />,
    },
  ];
  return (
    <Page
      title="Valuations"
      actions={<CreateButtons postings={['recordValuation']} lists={{ recordValuation: list }} />}
    >
      <RecordList
        label="Valuations"
        noun="valuation"
        list={list}
        columns={columns}
        order="-effective"
        kind="valuation"
        title={(row) => `${kindOf(row)}, ${day(row.effectiveDate)}`}
        facts={(row) => [
          ['Class', nameOf(row.security) || '–'],
          ['Price per share', price(row.pricePerShare)],
          row.quotedPricePerShare &&
            ([
              'Quoted before the split',
              money(row.quotedPricePerShare.amount, row.quotedPricePerShare.currency),
            ] as const),
          row.companyValue && (['Company value', amountCell(row.companyValue)] as const),
          ['Effective', day(row.effectiveDate)],
          ['Expires', day(row.expiresOn)],
          ['Provider', row.provider ?? '–'],
          row.document !== undefined && (['Report', <FileLink key={row.document} file={row.document} />] as const),
          (row.comments?.length ?? 0) > 0 && (['Note', row.comments?.join(' ')] as const),
        ]}
        empty={{
          title: 'No valuations yet',
          text: 'A valuation sets the price of grants and the value of portfolios.',
          post: 'recordValuation',
        }}
      />
    </Page>
  );
}
