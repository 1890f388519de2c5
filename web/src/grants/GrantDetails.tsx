import type { Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { cell, quantity } from '~/format/figures';
import { sentence } from '~/format/sentence';
import { words } from '~/format/words';
import { Facts } from '~/ui/Page';
import { State } from '~/ui/State';
import { openEvents } from './curve';
import { GrantHistory } from './GrantHistory';
import { Installments } from './Installments';
import { periodText, reasonName } from './kinds';
import { useVesting } from './useVesting';
import { VestingChart } from './VestingChart';

type Option = Schema<'Option'>;

/** The vesting of a grant, its exercise requests and its history, its termination windows, and its split for taxes. */
export function GrantDetails({ row }: { row: Option }) {
  return (
    <>
      <Requests row={row} />
      <Vesting row={row} />
      <GrantHistory row={row} />
      {(row.terminationWindows?.length ?? 0) > 0 && (
        <section aria-label="Exercise after leaving">
          <h3 className="mt-6 mb-1 font-medium">Exercise after leaving</h3>
          <Facts
            rows={(row.terminationWindows ?? []).map((one) => [
              reasonName(one.reason),
              one.period.n === 0 ? 'Not possible' : periodText(one.period),
            ])}
          />
        </section>
      )}
      {row.isoNsoSplit && <Split split={row.isoNsoSplit} />}
    </>
  );
}

function Vesting({ row }: { row: Option }) {
  const { date } = useDay();
  const steps = useVesting(row);
  const events = openEvents(row);
  if (row.quantity === '0') return null;
  return (
    <section aria-label="Vesting">
      <h3 className="mt-6 mb-1 font-medium">Vesting</h3>
      {row.terms === undefined && !row.vestings?.length ? (
        <p className="text-ink-3">Vested from the grant date.</p>
      ) : steps ? (
        steps.length > 0 && (
          <>
            <VestingChart vestings={steps} total={row.quantity} start={row.vestingStart ?? row.issueDate} date={date} />
            <Installments steps={steps} date={date} />
          </>
        )
      ) : (
        <div className="h-[226px]" />
      )}
      {events.length > 0 && !row.end && (
        <p className="text-ink-3">A part vests when this happens: {events.join(', ')}.</p>
      )}
    </section>
  );
}

function Requests({ row }: { row: Option }) {
  if (!row.requests?.length) return null;
  return (
    <section aria-label="Exercise requests">
      <h3 className="mt-6 mb-1 font-medium">Exercise requests</h3>
      <ul>
        {row.requests.map((request) => (
          <li key={request.id} className="border-b border-line py-2">
            <p className="flex items-center gap-3">
              <span className="num w-[92px] text-ink-3">{day(request.requestedAt)}</span>
              <span className="num flex-1">
                {quantity(request.quantity)}
                {request.payment && <span className="text-ink-3">, {words(request.payment).toLowerCase()}</span>}
              </span>
              <State of={request.status} />
            </p>
            {(request.message || request.reason) && (
              <p className="pl-[104px] text-ink-2">{request.reason ?? request.message}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Split({ split }: { split: NonNullable<Option['isoNsoSplit']> }) {
  return (
    <section aria-label="ISO and NSO">
      <h3 className="mt-6 mb-1 font-medium">ISO and NSO</h3>
      <table className="num w-full">
        <thead className="text-ink-3">
          <tr className="h-8 border-b border-line text-right">
            <th scope="col" className="text-left font-normal">
              First exercisable in
            </th>
            <th scope="col" className="font-normal">
              ISO
            </th>
            <th scope="col" className="font-normal">
              NSO
            </th>
          </tr>
        </thead>
        <tbody>
          {split.byYear.map((one) => (
            <tr key={one.year} className="h-8 border-b border-line text-right">
              <td className="text-left">{one.year}</td>
              <td>{cell(one.iso)}</td>
              <td>{cell(one.nso)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="h-8 text-right font-medium">
            <td className="text-left">Total</td>
            <td>{cell(split.iso)}</td>
            <td>{cell(split.nso)}</td>
          </tr>
        </tfoot>
      </table>
      {split.exercises && (
        <Facts rows={split.exercises.map((one) => [`Exercised on ${day(one.date)}`, kindsText(one.iso, one.nso)])} />
      )}
      {split.findings?.map((one) => (
        <p key={one.code + one.message} className="mt-2 text-warn">
          {sentence(one.message)}
        </p>
      ))}
    </section>
  );
}

const kindsText = (iso: string, nso: string) =>
  [iso !== '0' && `${cell(iso)} ISO`, nso !== '0' && `${cell(nso)} NSO`].filter(Boolean).join(', ');
