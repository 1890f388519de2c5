import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { capTableQuery, useCapTable } from '~/api/captable';
import { queryClient, type Schema } from '~/api/client';
import { AvailablePools } from '~/captable/AvailablePools';
import { columnsOf } from '~/captable/columns';
import { downloadTable, ExportMenu } from '~/captable/ExportMenu';
import { type Basis, slicesOf, tilesOf } from '~/captable/slices';
import { Donut } from '~/charts/Donut';
import { dayIn, useDay } from '~/day/day';
import { isDecimal, isZero, sum } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { cents, quantity, share } from '~/format/figures';
import { words } from '~/format/words';
import { useOpenPosting } from '~/posting/useOpenPosting';
import type { Filter } from '~/register/column';
import { Register } from '~/register/Register';
import { listOf, toggled, useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { type Figure, Figures } from '~/ui/Figures';
import { lazyPart } from '~/ui/lazyPart';
import { Empty, Failure } from '~/ui/Notice';
import { Page } from '~/ui/Page';
import { Segments } from '~/ui/Segments';
import { Why } from '~/why/Why';

export const Route = createFileRoute('/_user/company/$organization/captable')({
  loaderDeps: ({ search }) => dayIn(search),
  loader: ({ params, deps }) => {
    queryClient.prefetchQuery(capTableQuery(params.organization, deps));
  },
  component: CapTablePage,
});

const HolderDrawer = lazyPart(() => import('~/captable/HolderDrawer'));
const Treemap = lazyPart(() => import('~/charts/Treemap'));

type Table = Schema<'CapTable'>;

const bases = [
  ['fullyDiluted', 'Fully diluted'],
  ['outstanding', 'Outstanding'],
] as const;

function figuresOf(table: Table): Figure[] {
  const { totals } = table;
  const available = sum(table.pools.map((pool) => pool.available));
  return [
    {
      label: 'Fully diluted',
      value: (
        <Why figure="total/fullyDiluted" label="Fully diluted">
          {quantity(totals.fullyDiluted)}
        </Why>
      ),
      detail: isDecimal(totals.authorized) ? (
        <>
          <Why figure="total/authorized" label="Authorized">
            {quantity(totals.authorized)}
          </Why>{' '}
          authorized
        </>
      ) : (
        words(totals.authorized)
      ),
    },
    {
      label: 'Outstanding',
      value: (
        <Why figure="total/outstanding" label="Outstanding">
          {quantity(totals.outstanding)}
        </Why>
      ),
      detail: isZero(totals.treasury) ? undefined : (
        <>
          <Why figure="total/treasury" label="In treasury">
            {quantity(totals.treasury)}
          </Why>{' '}
          in treasury
        </>
      ),
    },
    {
      label: 'Available for grants',
      value: <AvailablePools pools={table.pools} />,
      detail: `${share(available, totals.fullyDiluted)} of fully diluted`,
    },
    {
      label: 'Invested',
      value: cents(totals.invested ?? '0', table.currency),
      detail:
        totals.holderCost === undefined || totals.holderCost === totals.invested
          ? `${quantity(table.holders.length.toString())} holders`
          : `Cost ${cents(totals.holderCost, table.currency)}`,
    },
  ];
}

/** The cap table: totals, classes, largest holders, and the register of holders. */
function CapTablePage() {
  const { id: organization, can } = useCompany();
  const { query, date, past } = useDay();
  // The permission of issueShares in the catalog of forms, which this page does not load.
  const mayIssue = can('editCapTable') && !past;
  const open = useOpenPosting();
  const [address, setAddress] = useAddress();
  const table = useCapTable(organization, query);
  const basis: Basis = address.basis === 'outstanding' ? 'outstanding' : 'fullyDiluted';
  const selected = listOf(address.class);
  const slices = useMemo(() => (table.data ? slicesOf(table.data, basis) : []), [table.data, basis]);
  const map = useMemo(() => (table.data ? tilesOf(table.data, basis) : undefined), [table.data, basis]);
  const columns = useMemo(() => (table.data ? columnsOf(table.data, basis) : []), [table.data, basis]);
  const filters = useMemo<Filter<Schema<'CapTableHolder'>>[]>(
    () => [
      {
        id: 'class',
        label: 'Classes',
        line: true,
        choices: slices
          .filter((slice) => slice.id !== 'pools')
          .map((slice) => ({ value: slice.id, label: slice.name, color: slice.color })),
        value: (holder) => [
          ...holder.bySecurity.filter((position) => !isZero(position.shares)).map((position) => position.security),
          ...(isZero(holder.options) ? [] : ['options']),
          ...(isZero(holder.warrants ?? '0') ? [] : ['warrants']),
        ],
      },
    ],
    [slices],
  );
  if (table.isError) return <Failure what="The cap table" error={table.error} retry={table.refetch} />;
  const opened = table.data?.holders.find((holder) => holder.entity === address.open);
  return (
    <Page
      title="Cap table"
      subtitle={`As of ${day(date)}`}
      actions={
        <>
          <Segments
            label="Basis"
            value={basis}
            choices={bases}
            onChange={(next) => setAddress({ basis: next === 'outstanding' ? next : undefined })}
          />
          <ExportMenu />
          {mayIssue && table.data?.holders.length !== 0 && (
            <Button look="primary" onClick={() => open('issueShares')}>
              <Plus size={15} aria-hidden />
              Issue shares
            </Button>
          )}
        </>
      }
    >
      <Figures count={4} figures={table.data && figuresOf(table.data)} />
      <div className="@container">
        <div className="grid grid-cols-2 gap-8 py-6 print:block @max-[800px]:grid-cols-1">
          <section aria-label="By class">
            <h2 className="mb-3 font-medium">By class</h2>
            {table.data ? (
              <div className="min-[900px]:h-[232px] min-[900px]:overflow-y-auto print:h-auto print:overflow-visible">
                <Donut
                  label="Ownership by class"
                  slices={slices}
                  selected={selected}
                  onToggle={(id) => setAddress({ class: toggled(selected, id) })}
                />
              </div>
            ) : (
              <div className="skeleton h-[232px] max-[900px]:h-[70dvh]" />
            )}
          </section>
          <section aria-label="Largest holders" className="max-[900px]:hidden print:hidden">
            <h2 className="mb-3 font-medium">Largest holders</h2>
            <Suspense fallback={<div className="skeleton h-[232px]" />}>
              {map ? (
                <Treemap
                  label="Largest holders by class; arrow keys move between them"
                  tiles={map.tiles}
                  total={map.total}
                  height={232}
                  onPick={(tile) => setAddress({ class: tile.group, q: tile.rest ? undefined : tile.name })}
                />
              ) : (
                <div className="skeleton h-[232px]" />
              )}
            </Suspense>
          </section>
        </div>
      </div>
      <Register
        label="Holders"
        noun="holder"
        rows={table.data?.holders ?? []}
        columns={columns}
        rowId={(row) => row.entity}
        loading={table.isPending}
        order="-shares"
        filters={filters}
        workbook={() => downloadTable(organization, query, 'xlsx')}
        onOpen={(row) => setAddress({ open: row.entity }, true)}
        empty={
          <Empty
            title="No holders yet"
            action={
              mayIssue && (
                <Button look="primary" onClick={() => open('issueShares')}>
                  Issue shares
                </Button>
              )
            }
          >
            The first issue of shares begins the cap table.
          </Empty>
        }
      />
      {table.data && opened && (
        <Suspense>
          <HolderDrawer table={table.data} holder={opened} onClose={() => setAddress({ open: undefined })} />
        </Suspense>
      )}
    </Page>
  );
}
