import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
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
import { useOpenPosting } from '~/posting/useOpenPosting';
import { useMayPost } from '~/posting/usePostings';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { useClasses } from '~/records/useNames';
import type { Column } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Menu } from '~/ui/Menu';
import { Page } from '~/ui/Page';
import { WhySum } from '~/why/WhySum';

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

type Quantity = { id: string; header: string; figure: string; of: (pool: Pool) => string; narrow?: 'value' };

const quantities: Quantity[] = [
  { id: 'reserved', header: 'Reserved', figure: 'reserve', of: (pool) => pool.totalShares },
  { id: 'granted', header: 'Granted', figure: 'granted', of: (pool) => pool.granted },
  { id: 'outstanding', header: 'Outstanding', figure: 'outstanding', of: (pool) => pool.outstanding },
  { id: 'exercised', header: 'Exercised', figure: 'exercised', of: (pool) => pool.exercised },
  { id: 'available', header: 'Available', figure: 'available', of: (pool) => pool.available, narrow: 'value' },
];

/** Returns the columns of the plans. Quantities are explained to users who may view the cap table. */
function columnsFor(explains: boolean): Column<Plan>[] {
  const explained = (label: string, { figure, of }: Quantity, pools: Pool[]) => {
    const text = cell(sum(pools.map(of)));
    if (!explains || text === '–') return text;
    const parts = pools.map((pool) => ({
      name: pool.name,
      value: cell(of(pool)),
      figure: `pool/${pool.id}/${figure}`,
    }));
    return (
      <WhySum label={label} parts={parts}>
        {text}
      </WhySum>
    );
  };
  return [
    { id: 'name', header: 'Plan', value: (row) => row.name, width: 'minmax(170px, 2.6fr)', narrow: 'title' },
    {
      id: 'use',
      header: 'Use',
      width: 'minmax(96px, 1fr)',
      spare: 2,
      value: () => undefined,
      cell: (row) => <Bar sums={sumsOf(row)} total={total(row, (pool) => pool.totalShares)} />,
    },
    ...quantities.map(
      (one): Column<Plan> => ({
        id: one.id,
        header: one.header,
        kind: 'decimal',
        value: (row) => total(row, one.of),
        cell: (row) => explained(`${row.name}, ${one.header.toLowerCase()}`, one, row.pools),
        sum: (rows) =>
          explained(
            `All plans, ${one.header.toLowerCase()}`,
            one,
            rows.flatMap((row) => row.pools),
          ),
        narrow: one.narrow,
        width: 'minmax(84px, 1fr)',
      }),
    ),
    {
      id: 'effective',
      header: 'Effective',
      kind: 'date',
      value: (row) => row.effectiveDate,
      narrow: 'detail',
      spare: 1,
    },
  ];
}

/** The button of a new pool; with several plans, it asks for the plan. */
function NewPool({ plans: [first, ...others] }: { plans: Plan[] }) {
  const may = useMayPost();
  const open = useOpenPosting();
  if (!first || !may('addPool')) return null;
  const add = (plan: Plan) => open('addPool', plan.id);
  const button = (
    <Button onClick={() => add(first)}>
      <Plus size={15} aria-hidden />
      New pool
    </Button>
  );
  if (others.length === 0) return button;
  return (
    <Menu trigger={button} items={[first, ...others].map((plan) => ({ label: plan.name, run: () => add(plan) }))} />
  );
}

/** The equity plans with their pools. */
function PlansPage() {
  const company = useCompany();
  const organization = company.id;
  const explains = company.can('viewCapTable');
  const columns = useMemo(() => columnsFor(explains), [explains]);
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
          <NewPool plans={list.rows} />
          <CreateButtons postings={['createPlan', 'expireOptions']} lists={{ createPlan: list }} />
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
