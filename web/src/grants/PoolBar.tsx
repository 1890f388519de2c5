import type { ReactNode } from 'react';
import type { Schema } from '~/api/client';
import { kindColors } from '~/charts/colors';
import { type Decimal, subtract } from '~/decimal/decimal';
import { ratio } from '~/decimal/geometry';
import { cell } from '~/format/figures';
import { useCompany } from '~/shell/company';
import { Swatch } from '~/ui/Chip';
import { Why } from '~/why/Why';

type Sums = Pick<Schema<'Pool'>, 'exercised' | 'outstanding' | 'available' | 'cancelled' | 'returned'>;

/** The parts of a reserve with their colours: reserve = exercised + outstanding + retired + available. */
export const partsOf = (sums: Sums) =>
  [
    { figure: 'exercised', name: 'Exercised', value: sums.exercised, color: 'var(--c-common)' },
    { figure: 'outstanding', name: 'Outstanding', value: sums.outstanding, color: kindColors.options },
    { figure: 'retired', name: 'Retired', value: subtract(sums.cancelled, sums.returned), color: kindColors.rest },
    {
      figure: 'available',
      name: 'Available',
      value: sums.available,
      color: kindColors.pools,
    },
  ].filter((part) => part.figure !== 'retired' || part.value !== '0');

/** The use of a reserve as a bar. */
export function Bar({ sums, total, className = 'h-2' }: { sums: Sums; total: Decimal; className?: string }) {
  return (
    <span aria-hidden className={`flex w-full overflow-hidden rounded-full bg-active ${className}`}>
      {partsOf(sums).map(({ figure, value, color }) => (
        <span key={figure} style={{ width: `${ratio(value, total) * 100}%`, background: color }} />
      ))}
    </span>
  );
}

/** A pool with its exercised, outstanding and available options as a bar. */
export function PoolBar({ pool, detail }: { pool: Schema<'Pool'>; detail?: ReactNode }) {
  const company = useCompany();
  const explained = (figure: string, value: Decimal) =>
    company.can('viewCapTable') ? (
      <Why figure={`pool/${pool.id}/${figure}`} label={`${pool.name}, ${figure}`}>
        {cell(value)}
      </Why>
    ) : (
      cell(value)
    );
  return (
    <div className="border-b border-line py-3">
      <p className="mb-1.5 flex items-baseline justify-between gap-4">
        <span className="font-medium">{pool.name}</span>
        <span className="num text-ink-2">{explained('reserve', pool.totalShares)} reserved</span>
      </p>
      <Bar sums={pool} total={pool.totalShares} />
      <dl className="mt-1.5 flex flex-wrap gap-x-4 text-xs text-ink-2">
        {partsOf(pool).map(({ figure, name, value, color }) => (
          <div key={figure} className="flex items-center gap-1.5">
            <dt className="flex items-center gap-1.5 text-ink-3">
              <Swatch color={color} />
              {name}
            </dt>
            <dd className="num">{explained(figure, value)}</dd>
          </div>
        ))}
      </dl>
      {detail && <p className="mt-1 text-xs text-ink-3">{detail}</p>}
    </div>
  );
}
