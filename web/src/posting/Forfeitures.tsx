import { useQueries } from '@tanstack/react-query';
import type { Schema } from '~/api/client';
import { day } from '~/format/dates';
import { cell } from '~/format/figures';
import { typeName } from '~/grants/kinds';
import type { StoredRecord } from './posting';
import { preview } from './send';

type Event = Schema<'PreviewEvent'>;

type Ending = { id: string; taking: { quantity: string }; termination: { date: string; reason: string } };

const endingOf = ({ type, data }: Event) => (type === 'optionTerminated' ? [data as Ending] : []);

/**
 * The grants that a preview terminates: the forfeited quantity, and the last day on which the vested rest can be exercised.
 * The preview of the termination of each grant states that day.
 */
export function Forfeitures({ events }: { events: Event[] }) {
  const endings = events.flatMap(endingOf);
  const grants = useQueries({
    queries: endings.map(({ id, termination: body }) => ({
      queryKey: ['preview', 'terminateOption', id, body],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<StoredRecord> =>
        (await preview({ operation: 'terminateOption', path: { option: id }, body }, signal)).record ?? {},
      staleTime: 0,
      gcTime: 0,
      retry: false,
    })),
  });
  if (endings.length === 0) return null;
  const rest = (grant: StoredRecord) => {
    if (grant.outstanding === '0') return 'Nothing left';
    return grant.exercisableUntil ? day(grant.exercisableUntil) : 'No limit';
  };
  return (
    <table className="mt-3 w-full border-collapse text-xs">
      <caption className="sr-only">Terminated grants</caption>
      <thead className="text-ink-3">
        <tr className="border-b border-line">
          <th scope="col" className="py-1 text-left font-normal">
            Grant
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            Forfeited
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            Left
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            Exercise until
          </th>
        </tr>
      </thead>
      <tbody>
        {endings.map(({ id, taking }, index) => {
          const grant = grants[index]?.data;
          return (
            <tr key={id} className="border-b border-line">
              <th scope="row" className="num py-1 pr-2 text-left font-normal text-ink-2">
                {grant ? `${typeName(grant.type)}, ${day(grant.issueDate)}` : '…'}
              </th>
              <td className="num py-1 pl-2 text-right font-medium">{cell(taking.quantity)}</td>
              <td className="num py-1 pl-2 text-right">{grant ? cell(grant.outstanding) : '…'}</td>
              <td className="num py-1 pl-2 text-right font-medium whitespace-nowrap">{grant ? rest(grant) : '…'}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
