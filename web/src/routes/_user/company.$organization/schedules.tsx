import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { words } from '~/format/words';
import { PlaceLink } from '~/journal/PlaceLink';
import { CreateButtons, RecordList } from '~/records/RecordList';
import { usePlans } from '~/records/useNames';
import type { Column, Filter } from '~/register/column';
import { ScheduleCurve } from '~/schedules/ScheduleCurve';
import { Tranches } from '~/schedules/Tranches';
import { termsText } from '~/schedules/terms';
import { useCompany } from '~/shell/company';
import { Page } from '~/ui/Page';
import { State, stateName } from '~/ui/State';

export const Route = createFileRoute('/_user/company/$organization/schedules')({
  component: SchedulesPage,
  staticData: { undated: 'all' },
});

type Schedule = Schema<'VestingSchedule'>;

const stateOf = (row: Schedule) => (row.successor ? 'superseded' : 'current');

const columns: Column<Schedule>[] = [
  { id: 'name', header: 'Schedule', value: (row) => row.name, width: 'minmax(180px, 1fr)', narrow: 'title' },
  { id: 'terms', header: 'Terms', value: termsText, width: 'minmax(220px, 2fr)', narrow: 'detail' },
  { id: 'rounding', header: 'Rounding', value: (row) => words(row.allocation), spare: 1 },
  {
    id: 'state',
    header: 'State',
    value: (row) => stateName(stateOf(row)),
    cell: (row) => <State of={stateOf(row)} />,
    width: '110px',
    narrow: 'value',
  },
];

const filters: Filter<Schedule>[] = [
  {
    id: 'state',
    label: 'States',
    choices: ['current', 'superseded'].map((value) => ({ value, label: stateName(value) })),
    value: stateOf,
  },
];

/** The vesting schedules. A schedule is never changed; a successor takes its place for new grants. */
function SchedulesPage() {
  const { id: organization } = useCompany();
  const list = useList('/vestingSchedule', { query: { organization } });
  const { plans } = usePlans();
  const names = new Map(list.rows.map((row) => [row.id, row.name]));
  return (
    <Page
      title="Vesting schedules"
      actions={
        <>
          <PlaceLink place={{ page: 'plans' }} className="btn btn-outline">
            Equity plans
          </PlaceLink>
          <CreateButtons postings={['createSchedule']} lists={{ createSchedule: list }} />
        </>
      }
    >
      <RecordList
        label="Schedules"
        noun="schedule"
        list={list}
        columns={columns}
        filters={filters}
        kind="vestingSchedule"
        title={(row) => row.name}
        facts={(row) => [
          ['Terms', termsText(row)],
          ['Rounding', words(row.allocation)],
          row.dayRule !== undefined && (['Day of the month', words(row.dayRule)] as const),
          [
            'Plans',
            plans.complete
              ? plans.rows
                  .filter((plan) => plan.vestingSchedules?.includes(row.id))
                  .map((plan) => plan.name)
                  .join(', ') || '–'
              : '',
          ],
          row.successor !== undefined && (['Superseded by', names.get(row.successor) ?? '–'] as const),
          (row.comments?.length ?? 0) > 0 && (['Note', row.comments?.join(' ')] as const),
        ]}
        details={(row) => (
          <>
            <h3 className="mt-6 mb-1 font-medium">Curve</h3>
            <ScheduleCurve stored={row.id} />
            <Tranches schedule={row} />
          </>
        )}
        empty={{
          title: 'No schedules yet',
          text: 'A schedule states when options and shares vest.',
          post: 'createSchedule',
        }}
      />
    </Page>
  );
}
