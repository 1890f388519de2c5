import type { Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { VestingChart } from '~/grants/VestingChart';
import { Certificate } from './Certificate';
import { Lineage } from './Lineage';

type Shareholding = Schema<'Shareholding'>;
type Props = { row: Shareholding; rows: Shareholding[]; nameOf: (security: string) => string };

/** What the drawer of a shareholding shows below its facts: vesting, origin and successors, and the certificate. */
export function ShareDetails({ row, rows, nameOf }: Props) {
  const { date } = useDay();
  return (
    <>
      {row.vestings && row.vestings.length > 0 && (
        <section aria-label="Vesting">
          <h3 className="mt-6 mb-1 font-medium">Vesting</h3>
          <VestingChart
            vestings={row.vestings}
            total={row.shares}
            start={row.vestingStart ?? row.issueDate}
            date={date}
          />
        </section>
      )}
      <Lineage row={row} rows={rows} nameOf={nameOf} />
      <Certificate row={row} />
    </>
  );
}
