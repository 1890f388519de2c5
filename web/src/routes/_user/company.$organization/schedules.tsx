import { createFileRoute } from '@tanstack/react-router';
import type { Schema } from '~/api/client';
import { useList } from '~/api/list';
import { words } from '~/format/words';
import { SchedulePreview } from '~/grants/SchedulePreview';
import { CreateButtons, RecordList } from '~/records/RecordList';
import type { Column } from '~/register/column';
import { useCompany } from '~/shell/company';
import { Chip } from '~/ui/Chip';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/schedules')({ component: SchedulesPage });

type Schedule = Schema<'VestingSchedule'>;

/** Returns the terms of a schedule in words. */
function terms({ continuous, discrete }: Schedule): string {
  if (continuous) {
    const { length, frequency, cliff } = continuous;
    const every = `every ${frequency.n === 1 ? '' : `${frequency.n} `}${frequency.n === 1 ? frequency.unit.replace(/s$/, '') : frequency.unit}`;
    return `${length.n} ${length.unit}, ${every}${cliff?.after ? `, cliff after ${cliff.after.n} ${cliff.after.unit}` : ''}`;
  }
  return discrete ? `${discrete.length} tranches` : 'Conditions';
}

const columns: Column<Schedule>[] = [
  { id: 'name', header: 'Schedule', value: (row) => row.name, width: 'minmax(180px, 1fr)', narrow: 'title' },
  { id: 'terms', header: 'Terms', value: terms, width: 'minmax(220px, 2fr)', narrow: 'detail' },
  { id: 'rounding', header: 'Rounding', value: (row) => words(row.allocation) },
  {
    id: 'state',
    header: 'State',
    value: (row) => (row.successor ? 'Superseded' : 'Current'),
    cell: (row) => <Chip tone={row.successor ? 'neutral' : 'good'}>{row.successor ? 'Superseded' : 'Current'}</Chip>,
    width: '110px',
    narrow: 'value',
  },
];

/** The vesting schedules. A schedule is never changed; a successor takes its place for new grants. */
function SchedulesPage() {
  const { id: organization } = useCompany();
  const list = useList('/vestingSchedule', { query: { organization } });
  return (
    <Page title="Vesting schedules" actions={<CreateButtons postings={['createSchedule']} />}>
      <RecordList
        label="Schedules"
        noun="schedule"
        list={list}
        columns={columns}
        kind="vestingSchedule"
        title={(row) => row.name}
        facts={(row) => [
          ['Terms', terms(row)],
          ['Rounding', words(row.allocation)],
        ]}
        details={(row) => <SchedulePreview id={row.id} />}
        empty={{
          title: 'No schedules yet',
          text: 'A schedule states when options and shares vest.',
          post: 'createSchedule',
        }}
      />
    </Page>
  );
}
