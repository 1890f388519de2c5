import type { Schema } from '~/api/client';
import { day } from '~/format/dates';
import { exactPercent, quantity } from '~/format/figures';
import { Facts } from '~/ui/Page';

/** The tranches of a schedule by date or milestone. */
export function Tranches({ schedule }: { schedule: Schema<'VestingSchedule'> }) {
  if (!schedule.discrete) return null;
  return (
    <section aria-label="Tranches">
      <h3 className="mt-6 mb-1 font-medium">Tranches</h3>
      <Facts
        rows={schedule.discrete.map((one, index) => [
          one.date ? day(one.date) : (one.milestone ?? `Tranche ${index + 1}`),
          one.fraction ? exactPercent(one.fraction) : one.quantity ? quantity(one.quantity) : '–',
        ])}
      />
    </section>
  );
}
