import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCapTable } from '~/api/captable';
import type { Schema } from '~/api/client';
import { DayControl } from '~/day/DayControl';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { percent, quantity } from '~/format/figures';
import { useMayPost, useOpenPosting } from '~/posting/usePostings';
import type { Column } from '~/register/column';
import { Register } from '~/register/Register';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Figures } from '~/ui/Figures';
import { Empty, Failure } from '~/ui/Notice';
import { Page } from '~/ui/Page';
import { Why } from '~/why/Why';

export const Route = createFileRoute('/_user/company/$organization/captable')({ component: CapTablePage });

type Holder = Schema<'CapTableHolder'>;

const columns: Column<Holder>[] = [
  { id: 'name', header: 'Holder', value: (row) => row.name, width: 'minmax(200px, 2fr)', narrow: 'title' },
  { id: 'shares', header: 'Shares', kind: 'decimal', value: (row) => row.shares ?? '0', narrow: 'value' },
  { id: 'options', header: 'Options', kind: 'decimal', value: (row) => row.options },
  {
    id: 'stake',
    header: '% fully diluted',
    kind: 'decimal',
    value: (row) => row.percentFullyDiluted,
    cell: (row) => percent(row.percentFullyDiluted),
    narrow: 'value',
  },
];

function CapTablePage() {
  const { id: organization } = useCompany();
  const { query, date } = useDay();
  const may = useMayPost();
  const open = useOpenPosting();
  const [, setAddress] = useAddress();
  const table = useCapTable(organization, query);
  if (table.isError) return <Failure what="The cap table" error={table.error} retry={table.refetch} />;
  const totals = table.data?.totals;
  return (
    <Page
      title="Cap table"
      subtitle={`As of ${day(date)}`}
      actions={
        <>
          <DayControl />
          {may('issueShares') && (
            <Button look="primary" onClick={() => open('issueShares')}>
              <Plus size={15} aria-hidden />
              Issue shares
            </Button>
          )}
        </>
      }
    >
      <Figures
        count={3}
        figures={
          totals && [
            {
              label: 'Fully diluted',
              value: (
                <Why figure="total/fullyDiluted" label="Fully diluted">
                  {quantity(totals.fullyDiluted)}
                </Why>
              ),
            },
            {
              label: 'Outstanding',
              value: (
                <Why figure="total/outstanding" label="Outstanding">
                  {quantity(totals.outstanding)}
                </Why>
              ),
            },
            { label: 'Authorized', value: quantity(totals.authorized) },
          ]
        }
      />
      <Register
        label="Holders"
        noun="holder"
        rows={table.data?.holders ?? []}
        columns={columns}
        rowId={(row) => row.entity}
        loading={table.isPending}
        order="-shares"
        onOpen={(row) => setAddress({ open: row.entity }, true)}
        empty={<Empty title="No holders yet">Issue shares to the founders first.</Empty>}
      />
    </Page>
  );
}
