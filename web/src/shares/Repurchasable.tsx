import { useMemo } from 'react';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { useDay } from '~/day/day';
import { sum } from '~/decimal/decimal';
import { amountCell, amountOf, cell, price } from '~/format/figures';
import { words } from '~/format/words';
import { useOpenPosting } from '~/posting/useOpenPosting';
import { useMayPost } from '~/posting/usePostings';
import type { Column } from '~/register/column';
import { Register } from '~/register/Register';
import { useCompany } from '~/shell/company';
import { Empty, Failure } from '~/ui/Notice';

type Repurchase = Schema<'Repurchase'>;

/** The unvested shares of people who left. A row opens their repurchase. */
export function Repurchasable({
  nameOf,
  onShow,
}: {
  nameOf: (security: string) => string;
  onShow: (id: string) => void;
}) {
  const company = useCompany();
  const { query } = useDay();
  const may = useMayPost();
  const open = useOpenPosting();
  const path = { organization: company.id };
  const list = useList('/organization/{organization}/shareholding/repurchasable', { path, query });
  const columns = useMemo<Column<Repurchase>[]>(
    () => [
      { id: 'holder', header: 'Holder', value: (row) => row.holder, width: 'minmax(160px, 1.6fr)', narrow: 'title' },
      { id: 'class', header: 'Class', value: (row) => nameOf(row.security), narrow: 'detail' },
      {
        id: 'shares',
        header: 'Repurchasable',
        kind: 'decimal',
        value: (row) => row.shares,
        sum: (rows) => cell(sum(rows.map((row) => row.shares))),
        narrow: 'value',
      },
      {
        id: 'price',
        header: 'Price per share',
        kind: 'decimal',
        value: (row) => amountOf(row.pricePerShare),
        cell: (row) => price(row.pricePerShare, company.currency),
      },
      {
        id: 'amount',
        header: 'Total price',
        kind: 'decimal',
        value: (row) => amountOf(row.amount),
        cell: (row) => amountCell(row.amount, company.currency),
      },
      { id: 'since', header: 'Left', kind: 'date', value: (row) => row.since },
      { id: 'reason', header: 'Reason', value: (row) => row.reason, cell: (row) => words(row.reason ?? '') || '–' },
    ],
    [nameOf, company.currency],
  );
  if (list.error) return <Failure what="Repurchasable shares" error={list.error} retry={list.refetch} />;
  return (
    <Register
      label="Repurchasable shares"
      noun="shareholding"
      name="repurchase"
      rows={list.rows}
      columns={columns}
      rowId={(row) => row.shareholding}
      loading={list.loading}
      order="-shares"
      onOpen={(row) =>
        may('repurchaseShares') ? open('repurchaseShares', row.shareholding) : onShow(row.shareholding)
      }
      empty={
        <Empty title="No repurchasable shares">
          Unvested shares of people who left appear here until they are repurchased or cancelled.
        </Empty>
      }
    />
  );
}
