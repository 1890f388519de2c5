import { createFileRoute, Link } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { useDay } from '~/day/day';
import { sum } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { cell } from '~/format/figures';
import { words } from '~/format/words';
import { PoolBar } from '~/grants/PoolBar';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useClasses } from '~/records/useNames';
import type { Column } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/plans')({ component: PlansPage });

type Plan = Schema<'Plan'>;
type Pool = Schema<'Pool'>;

const total = (row: Plan, of: (pool: Pool) => string) => sum(row.pools.map(of));

const columns: Column<Plan>[] = [
  { id: 'name', header: 'Plan', value: (row) => row.name, width: 'minmax(180px, 1.6fr)', narrow: 'title' },
  { id: 'reserved', header: 'Reserved', kind: 'decimal', value: (row) => total(row, (pool) => pool.totalShares) },
  { id: 'granted', header: 'Granted', kind: 'decimal', value: (row) => total(row, (pool) => pool.granted) },
  { id: 'outstanding', header: 'Outstanding', kind: 'decimal', value: (row) => total(row, (pool) => pool.outstanding) },
  { id: 'exercised', header: 'Exercised', kind: 'decimal', value: (row) => total(row, (pool) => pool.exercised) },
  {
    id: 'available',
    header: 'Available',
    kind: 'decimal',
    value: (row) => total(row, (pool) => pool.available),
    narrow: 'value',
  },
  { id: 'effective', header: 'Effective', kind: 'date', value: (row) => row.effectiveDate, narrow: 'detail' },
];

/** The equity plans with their pools. */
function PlansPage() {
  const { id: organization } = useCompany();
  const { query } = useDay();
  const { nameOf } = useClasses();
  const list = useList('/organization/{organization}/plan', { path: { organization }, query });
  return (
    <Page
      title="Equity plans"
      dated
      actions={
        <>
          <Link to="/company/$organization/schedules" params={{ organization }} className="btn btn-outline">
            Vesting schedules
          </Link>
          <CreateButtons postings={['createPlan']} />
        </>
      }
    >
      <RecordList
        label="Plans"
        noun="plan"
        list={list}
        columns={columns}
        kind="plan"
        title={(row) => row.name}
        facts={(row) => [
          ['Effective', day(row.effectiveDate)],
          ['Board approval', day(row.boardApprovalDate)],
          ['Stockholder approval', day(row.stockholderApprovalDate)],
          ['Expires', day(row.expiresOn)],
          ['Cancelled options', words(row.cancellationBehavior)],
          ['Classes', [...new Set(row.pools.map((pool) => nameOf(pool.security)))].join(', ')],
          ['Available', cell(total(row, (pool) => pool.available))],
        ]}
        details={(row) => (
          <>
            <h3 className="mt-6 font-medium">Pools</h3>
            {row.pools.map((pool) => (
              <PoolBar key={pool.id} pool={pool} />
            ))}
          </>
        )}
        empty={{
          title: 'No plans yet',
          text: 'A plan reserves shares for employees and advisors.',
          post: 'createPlan',
        }}
      />
    </Page>
  );
}
