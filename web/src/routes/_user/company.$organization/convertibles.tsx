import { createFileRoute } from '@tanstack/react-router';
import { useList } from '~/api/list';
import { kindColors } from '~/charts/colors';
import { ConversionPreview } from '~/convertibles/ConversionPreview';
import { Conversions } from '~/convertibles/Conversions';
import { InstrumentDetails } from '~/convertibles/InstrumentDetails';
import { colorOf, type Instrument, instrumentKinds, isInstrument, kindName, outstanding } from '~/convertibles/kinds';
import { useDay } from '~/day/day';
import { subtract, sum } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { amountCell, cell, cents, exactPercent, price, quantity } from '~/format/figures';
import { words } from '~/format/words';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useClasses, useHolders } from '~/records/useNames';
import { useOwn } from '~/records/useOwn';
import type { Column, Filter } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Swatch } from '~/ui/Chip';
import { Page } from '~/ui/Page';
import { heldAs, State, stateName } from '~/ui/State';
import { Why } from '~/why/Why';

export const Route = createFileRoute('/_user/company/$organization/convertibles')({ component: ConvertiblesPage });

const width = 'minmax(96px, 1fr)'; // of amounts

const filters: Filter<Instrument>[] = [
  {
    id: 'kind',
    label: 'Kinds',
    choices: [
      { value: 'safe', label: 'SAFEs', color: kindColors.convertibles },
      { value: 'convertibleNote', label: 'Notes', color: kindColors.convertibles },
      { value: 'custom', label: 'Others', color: kindColors.convertibles },
      { value: 'warrant', label: 'Warrants', color: kindColors.warrants },
    ],
    value: (row) => row.kind,
  },
  {
    id: 'state',
    label: 'States',
    choices: [
      { value: 'outstanding', label: 'Outstanding' },
      { value: 'ended', label: 'Ended' },
    ],
    value: (row) => (outstanding(row) ? 'outstanding' : 'ended'),
  },
];

/** The notes, SAFEs and warrants with their balance on the day. */
function ConvertiblesPage() {
  const company = useCompany();
  const { query, past } = useDay();
  const holders = useHolders();
  const { nameOf } = useClasses();
  const all = useList('/organization/{organization}/holding', {
    path: { organization: company.id },
    query: { ...query, kind: instrumentKinds },
  });
  const list = { ...all, rows: all.rows.filter(isInstrument) };
  const own = useOwn();
  const holderOf = (row: Instrument) => holders.nameOf(row.entity) || (own.isOwn(row) ? own.name : '');
  const explained = (row: Instrument, figure: string, text: string) =>
    company.can('viewCapTable') && text !== '–' ? (
      <Why figure={`holding/${row.id}/${figure}`} label={`${holderOf(row)}, ${words(figure).toLowerCase()}`}>
        {text}
      </Why>
    ) : (
      text
    );
  const amountOf = (row: Instrument, value: string | undefined) =>
    value === undefined || value === '0' || !row.principal ? '–' : cents(value, row.principal.currency);
  const principal = (row: Instrument) => explained(row, 'principal', amountOf(row, row.principal?.amount));
  const balance = (row: Instrument) => explained(row, 'balance', amountOf(row, row.balance));
  const interest = (row: Instrument) => explained(row, 'accruedInterest', amountOf(row, row.accruedInterest));
  const unpaid = (row: Instrument) =>
    outstanding(row) ? subtract(row.balance ?? '0', row.accruedInterest ?? '0') : row.principal?.amount;
  const left = (row: Instrument) =>
    row.kind === 'warrant' ? explained(row, 'outstanding', cell(row.left ?? row.quantity)) : '–';
  const single = (rows: Instrument[], of: (row: Instrument) => string | undefined) => {
    const currencies = new Set(rows.flatMap((row) => row.principal?.currency ?? []));
    const [currency] = currencies;
    return currencies.size === 1 && currency ? cents(sum(rows.map((row) => of(row) ?? '0')), currency) : '';
  };
  const models = company.can('viewCapTable') && !past;
  const columns: Column<Instrument>[] = [
    {
      id: 'holder',
      header: 'Holder',
      value: holderOf,
      width: 'minmax(128px, 2.6fr)',
      narrow: 'title',
    },
    {
      id: 'kind',
      header: 'Kind',
      value: (row) => row.kind,
      cell: (row) => (
        <span className="flex items-center gap-2">
          <Swatch color={colorOf(row)} />
          {kindName(row.kind)}
        </span>
      ),
      width: '80px',
      narrow: 'detail',
    },
    {
      id: 'principal',
      header: 'Principal',
      kind: 'decimal',
      value: (row) => row.principal?.amount,
      cell: principal,
      sum: (rows) => single(rows.filter(outstanding), (row) => row.principal?.amount),
      width,
    },
    {
      id: 'interest',
      header: 'Interest',
      kind: 'decimal',
      value: (row) => row.accruedInterest,
      cell: interest,
      sum: (rows) => single(rows, (row) => row.accruedInterest),
      width,
      spare: 3,
    },
    {
      id: 'balance',
      header: 'Balance',
      kind: 'decimal',
      value: (row) => row.balance,
      cell: balance,
      sum: (rows) => single(rows, (row) => row.balance),
      width,
      narrow: 'value',
    },
    {
      id: 'cap',
      header: 'Cap',
      kind: 'decimal',
      value: (row) => (typeof row.valuationCap === 'string' ? row.valuationCap : row.valuationCap?.amount),
      cell: (row) => amountCell(row.valuationCap, row.principal?.currency ?? company.currency),
      width,
      spare: 2,
    },
    {
      id: 'discount',
      header: 'Discount',
      kind: 'decimal',
      value: (row) => row.discount,
      cell: (row) => (row.discount ? exactPercent(row.discount) : '–'),
      width: '60px',
      spare: 1,
    },
    {
      id: 'quantity',
      header: 'Shares',
      kind: 'decimal',
      value: (row) => row.left ?? row.quantity,
      cell: left,
      width: '68px',
      spare: 4,
    },
    { id: 'issued', header: 'Issued', kind: 'date', value: (row) => row.issueDate, width: '86px' },
    {
      id: 'status',
      header: 'Status',
      width: '80px',
      value: (row) => stateName(heldAs(row.status)),
      cell: (row) => <State of={heldAs(row.status)} />,
      narrow: 'detail',
    },
  ];
  return (
    <Page
      title="Convertibles and warrants"
      actions={
        <CreateButtons
          postings={['createSafe', 'createNote', 'createWarrant', 'createCustom']}
          lists={{ createSafe: list }}
        />
      }
    >
      <RecordList
        label="Instruments"
        noun="instrument"
        list={list}
        columns={columns}
        filters={filters}
        order="-issued"
        kind="holding"
        title={(row) => holderOf(row) || kindName(row.kind)}
        subtitle={(row) => kindName(row.kind)}
        facts={(row) => [
          row.principal && (['Principal', principal(row)] as const),
          row.principal &&
            unpaid(row) !== row.principal.amount &&
            (['Unpaid principal', amountOf(row, unpaid(row))] as const),
          row.principal && (['Unpaid interest', interest(row)] as const),
          row.principal && (['Balance', balance(row)] as const),
          row.valuationCap !== undefined &&
            ([
              'Valuation cap',
              `${amountCell(row.valuationCap, row.principal?.currency ?? company.currency)}${row.capBasis ? `, ${row.capBasis}-money` : ''}`,
            ] as const),
          row.discount !== undefined && (['Discount', exactPercent(row.discount)] as const),
          row.mfn === true && (['Most favored nation', 'Yes'] as const),
          row.security !== undefined && (['Class', nameOf(row.security)] as const),
          row.quantity !== undefined && (['Quantity', cell(row.quantity)] as const),
          row.left !== undefined && (['Outstanding', left(row)] as const),
          row.exercisePrice !== undefined && (['Exercise price', price(row.exercisePrice, company.currency)] as const),
          row.coverage !== undefined && (['Coverage', exactPercent(row.coverage)] as const),
          row.proRata === true && (['Pro rata right', 'Yes'] as const),
          row.exitMultiple !== undefined &&
            (['At an exit', `${quantity(row.exitMultiple)} times the principal`] as const),
          ['Issued', day(row.issueDate)],
          row.acceptedOn !== undefined && (['Accepted', day(row.acceptedOn)] as const),
          row.maturityDate !== undefined && (['Maturity', day(row.maturityDate)] as const),
          row.expirationDate !== undefined && (['Expires', day(row.expirationDate)] as const),
          ['Status', stateName(heldAs(row.status))],
        ]}
        details={(row) => (
          <>
            {row.kind !== 'warrant' && outstanding(row) && models && <ConversionPreview holding={row.id} />}
            <InstrumentDetails row={row} nameOf={nameOf} />
          </>
        )}
        empty={{
          title: 'No convertibles or warrants',
          text: 'Notes, SAFEs and warrants appear here with their balance.',
          post: 'createSafe',
        }}
      />
      {models && list.rows.some((row) => row.kind !== 'warrant' && outstanding(row)) && <Conversions />}
    </Page>
  );
}
