import { useQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { VestingChart } from './VestingChart';

const sample = '48000'; // options of the drawn grant

/** The vesting of a sample grant that began two years ago. */
export function SchedulePreview({ id }: { id: string }) {
  const { date } = useDay();
  const start = `${(BigInt(date.slice(0, 4)) - 2n).toString()}${date.slice(4)}`.replace('-02-29', '-02-28');
  const projection = useQuery({
    queryKey: ['post', '/schedule/project', id, start],
    queryFn: async () => {
      const body = { quantity: sample, grantDate: start, vestingStart: start, vestingSchedule: id };
      return (await client.POST('/schedule/project', { body })).data as Schema<'Projection'>;
    },
    retry: false,
  });
  if (!projection.data) return null;
  return (
    <>
      <h3 className="mt-6 mb-1 font-medium">A grant of two years ago</h3>
      <VestingChart vestings={projection.data.installments} total={sample} start={start} date={date} />
    </>
  );
}
