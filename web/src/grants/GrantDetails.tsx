import { useQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { cell, quantity } from '~/format/figures';
import { words } from '~/format/words';
import { Chip } from '~/ui/Chip';
import { Facts } from '~/ui/Page';
import { VestingChart } from './VestingChart';

type Option = Schema<'Option'>;

const tones = { pending: 'warn', accepted: 'good', declined: 'bad' } as const;

/** Reads the installments of a schedule for a grant, if the grant does not list them itself. */
function useInstallments(row: Option) {
  return useQuery({
    queryKey: ['post', '/schedule/project', row.id, row.version],
    queryFn: async () => {
      const body = {
        quantity: row.quantity,
        grantDate: row.issueDate,
        vestingStart: row.vestingStart,
        vestingSchedule: row.vestingSchedule,
      };
      return ((await client.POST('/schedule/project', { body })).data as Schema<'Projection'>).installments;
    },
    enabled: row.vestingSchedule !== undefined && !row.vestings?.length,
    retry: false,
  });
}

/** The vesting of a grant, its termination windows, its exercise requests, and its split for taxes. */
export function GrantDetails({ row }: { row: Option }) {
  const { date } = useDay();
  const installments = useInstallments(row);
  const vestings = row.vestings?.length ? row.vestings : installments.data;
  return (
    <>
      {vestings && vestings.length > 0 && (
        <>
          <h3 className="mt-6 mb-1 font-medium">Vesting</h3>
          <VestingChart
            vestings={vestings}
            total={row.quantity}
            start={row.vestingStart ?? row.issueDate}
            date={date}
          />
        </>
      )}
      {(row.requests?.length ?? 0) > 0 && (
        <>
          <h3 className="mt-6 mb-1 font-medium">Exercise requests</h3>
          <Facts
            rows={(row.requests ?? []).map((request) => [
              day(request.requestedAt),
              <span key={request.id} className="inline-flex items-center gap-2">
                {quantity(request.quantity)} <Chip tone={tones[request.status]}>{words(request.status)}</Chip>
              </span>,
            ])}
          />
        </>
      )}
      {(row.terminationWindows?.length ?? 0) > 0 && (
        <>
          <h3 className="mt-6 mb-1 font-medium">Exercise after leaving</h3>
          <Facts
            rows={(row.terminationWindows ?? []).map((one) => [
              words(one.reason),
              `${one.period.n} ${one.period.unit}`,
            ])}
          />
        </>
      )}
      {row.isoNsoSplit && (
        <>
          <h3 className="mt-6 mb-1 font-medium">ISO and NSO</h3>
          <Facts
            rows={[
              ['ISO', cell(row.isoNsoSplit.iso)],
              ['NSO', cell(row.isoNsoSplit.nso)],
              ...row.isoNsoSplit.byYear.map(
                (one) => [one.year.toString(), `${cell(one.iso)} ISO, ${cell(one.nso)} NSO`] as const,
              ),
            ]}
          />
        </>
      )}
    </>
  );
}
