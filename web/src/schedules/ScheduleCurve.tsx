import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useDay } from '~/day/day';
import { quantity } from '~/format/figures';
import { VestingChart } from '~/grants/VestingChart';
import { sample, yearsBefore } from './sample';

const pause = 200; // milliseconds between the last change of the form and the drawing

/** The vesting of a sample grant under a stored schedule, or under the terms of a form as they are edited. */
export function ScheduleCurve({ schedule, stored }: { schedule?: Schema<'VestingSchemeTerms'>; stored?: string }) {
  const { date } = useDay();
  const start = yearsBefore(date, 2);
  const [drawn, setDrawn] = useState(schedule);
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(schedule), pause);
    return () => clearTimeout(timer);
  }, [schedule]);
  const projection = useQuery({
    queryKey: ['post', '/schedule/project', stored ?? drawn, start],
    queryFn: async ({ signal }) => {
      const terms = stored ? { vestingSchedule: stored } : { schedule: drawn };
      const body = { quantity: sample, grantDate: start, vestingStart: start, ...terms } as Schema<'ProjectVesting'>;
      return (await client.POST('/schedule/project', { body, signal })).data as Schema<'Projection'>;
    },
    enabled: stored !== undefined || drawn !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (projection.isError) return <p className="text-sm text-ink-3">{problemOf(projection.error).message}</p>;
  const installments = projection.data?.installments;
  if (!installments) return <div className="h-[170px]" />;
  if (installments.length === 0)
    return <p className="text-sm text-ink-3">Nothing vests on a known date. Milestones are recorded on each grant.</p>;
  return (
    <>
      <p className="mb-1 text-xs text-ink-3">A grant of {quantity(sample)} that began two years ago</p>
      <VestingChart vestings={installments} total={sample} start={start} date={date} />
    </>
  );
}
