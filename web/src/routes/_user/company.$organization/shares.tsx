import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { classColors } from '~/charts/colors';
import { useDay } from '~/day/day';
import { sum } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { amountOf, cell, cents, price } from '~/format/figures';
import { words } from '~/format/words';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useClasses } from '~/records/useNames';
import type { Column, Filter } from '~/register/column';
import { ShareDetails } from '~/shares/Details';
import { downloadCertificates } from '~/shares/downloadCertificates';
import { Repurchasable } from '~/shares/Repurchasable';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Swatch } from '~/ui/Chip';
import { Page } from '~/ui/Page';
import { Segments } from '~/ui/Segments';
import { heldAs, State, stateName } from '~/ui/State';
import { Why } from '~/why/Why';

export const Route = createFileRoute('/_user/company/$organization/shares')({ component: SharesPage });

type Shareholding = Schema<'Shareholding'>;

const views = [
  ['all', 'All'],
  ['repurchasable', 'Repurchasable'],
] as const;

const ended = (row: Shareholding) => row.status !== 'active' && row.status !== 'accepted';

/** The register of shareholdings. A holder sees the own ones. */
function SharesPage() {
  const company = useCompany();
  const { query } = useDay();
  const [address, setAddress] = useAddress();
  const repurchasable = address.view === 'repurchasable';
  const { classes, nameOf } = useClasses();
  const list = useList('/organization/{organization}/shareholding', { path: { organization: company.id }, query });
  const colors = useMemo(() => classColors(classes), [classes]);
  const explained = (row: Shareholding, figure: string, value: string) =>
    company.can('viewCapTable') ? (
      <Why figure={`shareholding/${row.id}/${figure}`} label={`${row.certificate}, ${figure}`}>
        {cell(value)}
      </Why>
    ) : (
      cell(value)
    );
  const columns: Column<Shareholding>[] = [
    { id: 'certificate', header: 'Certificate', value: (row) => row.certificate, width: '112px', narrow: 'detail' },
    {
      id: 'holder',
      header: 'Holder',
      value: (row) => row.holderName ?? row.shareholderName,
      width: 'minmax(160px, 1.6fr)',
      narrow: 'title',
    },
    {
      id: 'class',
      header: 'Class',
      value: (row) => nameOf(row.security),
      cell: (row) => (
        <span className="flex items-center gap-2">
          <Swatch color={colors.get(row.security) ?? ''} />
          <span className="truncate">{nameOf(row.security)}</span>
        </span>
      ),
      narrow: 'detail',
    },
    {
      id: 'shares',
      header: 'Shares',
      kind: 'decimal',
      value: (row) => row.shares,
      cell: (row) => explained(row, 'shares', row.shares),
      sum: (rows) => cell(sum(rows.filter((row) => !ended(row)).map((row) => row.shares))),
      narrow: 'value',
    },
    {
      id: 'price',
      header: 'Price',
      kind: 'decimal',
      value: (row) => amountOf(row.pricePerShare),
      cell: (row) => price(row.pricePerShare, company.currency),
      spare: 1,
    },
    { id: 'issued', header: 'Issued', kind: 'date', value: (row) => row.issueDate, spare: 2 },
    {
      id: 'status',
      header: 'Status',
      width: '110px',
      value: (row) => stateName(heldAs(row.status)),
      cell: (row) => <State of={heldAs(row.status)} />,
    },
  ];
  const filters: Filter<Shareholding>[] = [
    {
      id: 'state',
      label: 'State',
      choices: [
        { value: 'current', label: 'Current' },
        { value: 'ended', label: 'Ended' },
      ],
      value: (row) => (ended(row) ? 'ended' : 'current'),
    },
    {
      id: 'class',
      label: 'Classes',
      line: true,
      choices: classes.map((one) => ({ value: one.id, label: one.name, color: colors.get(one.id) })),
      value: (row) => row.security,
    },
  ];
  return (
    <Page
      title="Shares"
      actions={
        <>
          <Segments
            label="View"
            value={repurchasable ? 'repurchasable' : 'all'}
            choices={views}
            onChange={(view) => setAddress({ view: view === 'all' ? undefined : view })}
          />
          <CreateButtons postings={['issueShares']} lists={repurchasable ? {} : { issueShares: list }} />
        </>
      }
    >
      {repurchasable ? (
        <Repurchasable nameOf={nameOf} onShow={(id) => setAddress({ view: undefined, open: id }, true)} />
      ) : (
        <RecordList
          label="Shareholdings"
          noun="shareholding"
          list={list}
          columns={columns}
          filters={filters}
          order="-issued"
          kind="shareholding"
          wide
          title={(row) => `${row.certificate}, ${row.holderName ?? row.shareholderName}`}
          subtitle={(row) => nameOf(row.security)}
          facts={(row) => [
            ['Shares', explained(row, 'shares', row.shares)],
            ['Status', stateName(heldAs(row.status))],
            ['Issue date', day(row.issueDate)],
            ['Price per share', price(row.pricePerShare, company.currency)],
            row.consideration?.cash !== undefined &&
              (['Paid', cents(row.consideration.cash, company.currency)] as const),
            row.acceptedOn !== undefined && (['Accepted', day(row.acceptedOn)] as const),
            row.vested !== undefined && (['Vested', explained(row, 'vested', row.vested)] as const),
            row.unvested !== undefined && (['Unvested', explained(row, 'unvested', row.unvested)] as const),
            row.issuanceType !== undefined && (['Issuance', words(row.issuanceType)] as const),
            row.repurchasable !== undefined &&
              (['Repurchasable', explained(row, 'repurchasable', row.repurchasable.shares)] as const),
            row.rule144Date !== undefined && (['Rule 144 from', day(row.rule144Date)] as const),
            row.boardApprovalDate !== undefined && (['Board approval', day(row.boardApprovalDate)] as const),
            (row.comments?.length ?? 0) > 0 && (['Note', row.comments?.join(' ')] as const),
          ]}
          bulk={(rows) => [{ label: `Certificates (${rows.length})`, run: () => downloadCertificates(rows) }]}
          details={(row) => <ShareDetails row={row} rows={list.rows} nameOf={nameOf} />}
          empty={{
            title: 'No shareholdings',
            text: 'Shares that are issued appear here with their certificates.',
            post: 'issueShares',
          }}
        />
      )}
    </Page>
  );
}
