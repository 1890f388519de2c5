import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { classColors } from '~/charts/colors';
import { AuthorizedBar } from '~/classes/AuthorizedBar';
import { ClassDetails } from '~/classes/ClassDetails';
import { useDay } from '~/day/day';
import { isDecimal } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { cell, exactPercent, price, quantity } from '~/format/figures';
import { words } from '~/format/words';
import { CreateButtons, RecordList } from '~/records/RecordList';
import type { Column } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Chip, Swatch } from '~/ui/Chip';
import { Page } from '~/ui/Page';
import { PdfFrame } from '~/ui/PdfFrame';
import { Why } from '~/why/Why';

export const Route = createFileRoute('/_user/company/$organization/classes')({ component: ClassesPage });

type Security = Schema<'Security'>;
type Legend = Schema<'Legend'>;

const legendColumns: Column<Legend>[] = [
  { id: 'name', header: 'Legend', value: (row) => row.name, width: 'minmax(140px, 1fr)', narrow: 'title' },
  { id: 'text', header: 'Text', value: (row) => row.text, width: 'minmax(200px, 3fr)', narrow: 'detail' },
  {
    id: 'default',
    header: 'Printed',
    value: (row) => (row.default ? 'By default' : 'If chosen'),
    width: '120px',
    narrow: 'value',
  },
];

/** The classes of shares with their authorized shares, and the legends of certificates. */
function ClassesPage() {
  const company = useCompany();
  const { query } = useDay();
  const path = { organization: company.id };
  const list = useList('/organization/{organization}/security', { path, query });
  const legends = useList(
    '/organization/{organization}/legend',
    { path, query: { knownAt: query.knownAt } },
    company.can('viewCapTable'),
  );
  const showsLegends = company.can('viewCapTable') && legends.complete;
  const colors = classColors(list.rows);
  const explained = (
    row: Security,
    figure: 'authorized' | 'issued' | 'reserved' | 'available',
    value: string | undefined,
  ) =>
    value === undefined ? (
      '–'
    ) : company.can('viewCapTable') ? (
      <Why figure={`security/${row.id}/${figure}`} label={`${row.name}, ${figure}`}>
        {isDecimal(value) ? cell(value) : words(value)}
      </Why>
    ) : isDecimal(value) ? (
      cell(value)
    ) : (
      words(value)
    );
  const columns: Column<Security>[] = [
    {
      id: 'name',
      header: 'Class',
      value: (row) => row.name,
      width: 'minmax(180px, 1.6fr)',
      cell: (row) => (
        <span className="flex items-center gap-2">
          <Swatch color={colors.get(row.id) ?? ''} />
          <span className="truncate">{row.name}</span>
        </span>
      ),
      narrow: 'title',
    },
    {
      id: 'type',
      header: 'Type',
      value: (row) => row.shareType,
      cell: (row) => <Chip>{words(row.shareType)}</Chip>,
      width: '100px',
      narrow: 'detail',
    },
    {
      id: 'authorized',
      header: 'Authorized',
      kind: 'decimal',
      value: (row) => row.authorizedShares,
      cell: (row) => explained(row, 'authorized', row.authorizedShares),
    },
    {
      id: 'issued',
      header: 'Issued',
      kind: 'decimal',
      value: (row) => row.issued,
      cell: (row) => explained(row, 'issued', row.issued),
      narrow: 'value',
    },
    {
      id: 'reserved',
      header: 'Reserved',
      kind: 'decimal',
      value: (row) => row.reserved,
      cell: (row) => explained(row, 'reserved', row.reserved),
      spare: 2,
    },
    {
      id: 'available',
      header: 'Available',
      kind: 'decimal',
      value: (row) => row.available,
      cell: (row) => explained(row, 'available', row.available),
    },
    {
      id: 'bar',
      header: 'Used',
      value: () => '',
      width: 'minmax(100px, 1fr)',
      spare: 1,
      cell: (row) => <AuthorizedBar security={row} color={colors.get(row.id) ?? ''} />,
    },
  ];
  return (
    <Page
      title="Classes"
      actions={
        <CreateButtons
          postings={['createClass', 'createLegend']}
          lists={{ createClass: list, ...(showsLegends && { createLegend: legends }) }}
        />
      }
    >
      <RecordList
        label="Classes"
        noun="class"
        list={list}
        columns={columns}
        kind="security"
        title={(row) => row.name}
        facts={(row) => [
          ['Type', words(row.shareType)],
          row.prefix !== undefined && (['Certificates', `${row.prefix}-1, ${row.prefix}-2, …`] as const),
          ['Par value', price(row.parValue, company.currency)],
          ['Price', price(row.price, company.currency)],
          row.votesPerShare !== undefined && (['Votes per share', quantity(row.votesPerShare)] as const),
          row.seniority !== undefined && (['Seniority', row.seniority.toString()] as const),
          row.liquidationPreferenceMultiple !== undefined &&
            (['Liquidation preference', `${row.liquidationPreferenceMultiple}×`] as const),
          row.participation !== undefined && (['Participation', words(row.participation)] as const),
          row.dividendRate !== undefined && (['Dividend', exactPercent(row.dividendRate)] as const),
          ...(row.splits ?? []).map(
            (split) => [`Split ${day(split.date)}`, `${split.ratio.numerator} for ${split.ratio.denominator}`] as const,
          ),
        ]}
        details={(row) => <ClassDetails row={row} color={colors.get(row.id) ?? ''} />}
        empty={{
          title: 'No classes yet',
          text: 'A company needs a class before it can issue shares.',
          post: 'createClass',
        }}
      />
      {showsLegends && (
        <div className="pt-6">
          <RecordList
            label="Legends"
            noun="legend"
            name="legend"
            wide
            list={legends}
            columns={legendColumns}
            kind="legend"
            title={(row) => row.name}
            facts={(row) => [
              ['Printed on', row.default ? 'Certificates without a legend of their own' : 'Chosen certificates'],
            ]}
            details={(row) => (
              <>
                <p className="mt-4 whitespace-pre-wrap">{row.text}</p>
                <h3 className="mt-6 mb-2 font-medium">Specimen certificate</h3>
                <PdfFrame
                  title={`Specimen certificate with ${row.name}`}
                  what="The specimen"
                  address={`/v1/organization/${company.id}/legend/${row.id}/certificate`}
                  version={row.version.toString()}
                  className="aspect-[1.41]"
                />
              </>
            )}
            empty={{ title: 'No legends', text: 'Legends are printed on certificates.', post: 'createLegend' }}
          />
        </div>
      )}
    </Page>
  );
}
