import type { Schema } from '~/api/client';
import { sum } from '~/decimal/decimal';
import { quantity } from '~/format/figures';
import { WhySum } from '~/why/WhySum';

/** The options that all pools can still grant. */
export const AvailablePools = ({ pools }: { pools: Schema<'CapTable'>['pools'] }) => (
  <WhySum
    label="Available for grants"
    parts={pools.map((pool) => ({
      name: `${pool.planName}, ${pool.name}`,
      value: quantity(pool.available),
      figure: `pool/${pool.pool}/available`,
    }))}
  >
    {quantity(sum(pools.map((pool) => pool.available)))}
  </WhySum>
);
