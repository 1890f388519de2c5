import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { ConversionPreview } from '~/convertibles/ConversionPreview';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { cell, cents, exactPercent, price } from '~/format/figures';
import { words } from '~/format/words';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useClasses, useHolders } from '~/records/useNames';
import type { Column, Filter } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Chip, Swatch } from '~/ui/Chip';
import { Page } from '~/ui/Page';
import { Why } from '~/why/Why';

export const Route = createFileRoute('/_user/company/$organization/convertibles')({ component: ConvertiblesPage });

type Holding = Exclude<Schema<'AnyHolding'>, { kind: 'option' }>;

const filters: Filter<Holding>[] = [
  {
    id: 'kind',
    label: 'Kinds',
    choices: [
      { value: 'safe', label: 'SAFEs', color: 'var(--c-convertibles)' },
      { value: 'convertibleNote', label: 'Notes', color: 'var(--c-convertibles)' },
      { value: 'warrant', label: 'Warrants', color: 'var(--c-warrants)' },
    ],
    value: (row) => row.kind,
  },
];

const isInstrument = (row: Schema<'AnyHolding'>): row is Holding => row.kind !== 'option';
const colorOf = (row: Holding) => (row.kind === 'warrant' ? 'var(--c-warrants)' : 'var(--c-convertibles)');

/** The notes, SAFEs and warrants with their balance on the day. */
function ConvertiblesPage() {
  const company = useCompany();
  const { query } = useDay();
  const holders = useHolders();
  const { nameOf } = useClasses();
  const all = useList('/organization/{organization}/holding', { path: { organization: company.id }, query });
  const list = { ...all, rows: all.rows.filter(isInstrument) };
  const balance = (row: Holding) => {
    if (row.balance === undefined || !row.principal) return '–';
    const text = cents(row.balance, row.principal.currency);
    return company.can('viewCapTable') ? (
      <Why figure={`holding/${row.id}/balance`} label="Balance">
        {text}
      </Why>
    ) : (
      text
    );
  };
  const columns: Column<Holding>[] = [
    {
      id: 'holder',
      header: 'Holder',
      value: (row) => holders.nameOf(row.entity),
      width: 'minmax(160px, 1.6fr)',
      narrow: 'title',
    },
    {
      id: 'kind',
      header: 'Kind',
      value: (row) => row.kind,
      cell: (row) => (
        <span className="flex items-center gap-2">
          <Swatch color={colorOf(row)} />
          {row.kind === 'safe' ? 'SAFE' : words(row.kind)}
        </span>
      ),
      narrow: 'detail',
    },
    {
      id: 'principal',
      header: 'Principal',
      kind: 'decimal',
      value: (row) => row.principal?.amount,
      cell: (row) => (row.principal ? cents(row.principal.amount, row.principal.currency) : '–'),
    },
    { id: 'balance', header: 'Balance', kind: 'decimal', value: (row) => row.balance, cell: balance, narrow: 'value' },
    {
      id: 'cap',
      header: 'Cap',
      kind: 'decimal',
      value: (row) => (typeof row.valuationCap === 'string' ? row.valuationCap : row.valuationCap?.amount),
      cell: (row) => price(row.valuationCap, company.currency),
    },
    {
      id: 'discount',
      header: 'Discount',
      kind: 'decimal',
      value: (row) => row.discount,
      cell: (row) => (row.discount ? exactPercent(row.discount) : '–'),
      width: '90px',
    },
    { id: 'quantity', header: 'Shares', kind: 'decimal', value: (row) => row.left ?? row.quantity },
    { id: 'issued', header: 'Issued', kind: 'date', value: (row) => row.issueDate },
    {
      id: 'status',
      header: 'Status',
      width: '110px',
      value: (row) => row.status,
      cell: (row) => <Chip>{words(row.status)}</Chip>,
    },
  ];
  return (
    <Page
      title="Convertibles and warrants"
      dated
      actions={<CreateButtons postings={['createSafe', 'createNote', 'createWarrant']} />}
    >
      <RecordList
        label="Instruments"
        noun="instrument"
        list={list}
        columns={columns}
        filters={filters}
        order="-issued"
        kind="holding"
        title={(row) => holders.nameOf(row.entity) || words(row.kind)}
        subtitle={(row) => (row.kind === 'safe' ? 'SAFE' : words(row.kind))}
        facts={(row) => [
          row.principal && (['Principal', cents(row.principal.amount, row.principal.currency)] as const),
          row.accruedInterest !== undefined &&
            row.principal &&
            (['Interest to date', cents(row.accruedInterest, row.principal.currency)] as const),
          row.balance !== undefined && (['Balance', balance(row)] as const),
          row.valuationCap !== undefined &&
            ([
              'Valuation cap',
              `${price(row.valuationCap, company.currency)}${row.capBasis ? `, ${row.capBasis}-money` : ''}`,
            ] as const),
          row.discount !== undefined && (['Discount', exactPercent(row.discount)] as const),
          row.mfn === true && (['Most favored nation', 'Yes'] as const),
          row.security !== undefined && (['Class', nameOf(row.security)] as const),
          row.quantity !== undefined && (['Quantity', cell(row.quantity)] as const),
          row.left !== undefined && (['Outstanding', cell(row.left)] as const),
          row.exercisePrice !== undefined && (['Exercise price', price(row.exercisePrice, company.currency)] as const),
          ['Issued', day(row.issueDate)],
          row.maturityDate !== undefined && (['Maturity', day(row.maturityDate)] as const),
          row.expirationDate !== undefined && (['Expires', day(row.expirationDate)] as const),
          ['Status', words(row.status)],
        ]}
        details={(row) =>
          row.kind !== 'warrant' && !row.end && company.can('viewCapTable') && <ConversionPreview holding={row.id} />
        }
        empty={{
          title: 'No convertibles or warrants',
          text: 'Notes, SAFEs and warrants appear here with their balance.',
          post: 'createSafe',
        }}
      />
    </Page>
  );
}
