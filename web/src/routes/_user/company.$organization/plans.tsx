import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { useDay } from '~/day/day';
import { sum } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { cell } from '~/format/figures';
import { words } from '~/format/words';
import { typeName } from '~/grants/kinds';
import { Bar } from '~/grants/PoolBar';
import { PlaceLink } from '~/journal/PlaceLink';
import { PlanDetails } from '~/plans/PlanDetails';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useClasses } from '~/records/useNames';
import type { Column } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/plans')({ component: PlansPage });

type Plan = Schema<'Plan'>;
type Pool = Schema<'Pool'>;

const total = (row: Plan, of: (pool: Pool) => string) => sum(row.pools.map(of));

/** Returns the figures of all pools of a plan. */
const sumsOf = (row: Plan) => ({
  exercised: total(row, (pool) => pool.exercised),
  outstanding: total(row, (pool) => pool.outstanding),
  available: total(row, (pool) => pool.available),
  cancelled: total(row, (pool) => pool.cancelled),
  returned: total(row, (pool) => pool.returned),
});

const sumOf = (of: (pool: Pool) => string) => (rows: Plan[]) => cell(sum(rows.map((row) => total(row, of))));

const columns: Column<Plan>[] = [
  { id: 'name', header: 'Plan', value: (row) => row.name, width: 'minmax(180px, 1.6fr)', narrow: 'title' },
  {
    id: 'use',
    header: 'Use',
    width: 'minmax(120px, 1fr)',
    value: () => undefined,
    cell: (row) => <Bar sums={sumsOf(row)} total={total(row, (pool) => pool.totalShares)} />,
  },
  {
    id: 'reserved',
    header: 'Reserved',
    kind: 'decimal',
    value: (row) => total(row, (pool) => pool.totalShares),
    sum: sumOf((pool) => pool.totalShares),
  },
  {
    id: 'granted',
    header: 'Granted',
    kind: 'decimal',
    value: (row) => total(row, (pool) => pool.granted),
    sum: sumOf((pool) => pool.granted),
  },
  {
    id: 'outstanding',
    header: 'Outstanding',
    kind: 'decimal',
    value: (row) => total(row, (pool) => pool.outstanding),
    sum: sumOf((pool) => pool.outstanding),
  },
  {
    id: 'exercised',
    header: 'Exercised',
    kind: 'decimal',
    value: (row) => total(row, (pool) => pool.exercised),
    sum: sumOf((pool) => pool.exercised),
  },
  {
    id: 'available',
    header: 'Available',
    kind: 'decimal',
    value: (row) => total(row, (pool) => pool.available),
    sum: sumOf((pool) => pool.available),
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
  const schedules = useList('/vestingSchedule', { query: { organization } });
  const scheduleNames = new Map(schedules.rows.map((one) => [one.id, one.name]));
  return (
    <Page
      title="Equity plans"
      actions={
        <>
          <PlaceLink place={{ page: 'schedules' }} className="btn btn-outline">
            Vesting schedules
          </PlaceLink>
          <CreateButtons postings={['createPlan', 'expireOptions']} />
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
          (row.approvedEquities?.length ?? 0) > 0 && [
            'Approved',
            row.approvedEquities
              ?.map((one) => `${typeName(one.type)}${one.quantity ? ` ${cell(one.quantity)}` : ''}`)
              .join(', '),
          ],
          (row.vestingSchedules?.length ?? 0) > 0 && [
            'Vesting schedules',
            row.vestingSchedules?.map((id) => scheduleNames.get(id) ?? '').join('; '),
          ],
          (row.comments?.length ?? 0) > 0 && ['Note', row.comments?.join(' ')],
        ]}
        wide
        details={(row) => <PlanDetails plan={row} />}
        empty={{
          title: 'No plans yet',
          text: 'A plan reserves shares for employees and advisors.',
          post: 'createPlan',
        }}
      />
    </Page>
  );
}
