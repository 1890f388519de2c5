import type { Schema } from '~/api/client';
import { sum } from '~/decimal/decimal';
import { quantity } from '~/format/figures';
import { Popover } from '~/ui/Popover';
import { figureClass, Why } from '~/why/Why';

/** The options that all pools can still grant. The figure unfolds to the pools, and each pool to its explanation. */
export function AvailablePools({ pools }: { pools: Schema<'CapTable'>['pools'] }) {
  const total = quantity(sum(pools.map((pool) => pool.available)));
  const [only] = pools;
  if (!only) return total;
  if (pools.length === 1) {
    return (
      <Why figure={`pool/${only.pool}/available`} label="Available for grants">
        {total}
      </Why>
    );
  }
  return (
    <Popover
      label="Available for grants"
      className="w-[360px] max-w-[calc(100vw-16px)] p-4 text-sm"
      trigger={
        <button type="button" aria-label="Available for grants: explain" className={figureClass}>
          {total}
        </button>
      }
    >
      {() => (
        <>
          <h2 className="mb-2 font-medium">Available for grants</h2>
          <ul>
            {pools.map((pool) => (
              <li key={pool.pool} className="flex h-8 items-center justify-between gap-4 border-b border-line">
                <span className="truncate">
                  {pool.planName}, {pool.name}
                </span>
                <Why figure={`pool/${pool.pool}/available`} label={`${pool.planName}, ${pool.name}, available`}>
                  {quantity(pool.available)}
                </Why>
              </li>
            ))}
            <li className="flex h-8 items-center justify-between font-medium">
              <span>Total</span>
              <span className="num">{total}</span>
            </li>
          </ul>
        </>
      )}
    </Popover>
  );
}
