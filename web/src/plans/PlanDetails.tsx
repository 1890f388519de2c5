import { api, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { cut } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { cell, price } from '~/format/figures';
import { words } from '~/format/words';
import { typeName } from '~/grants/kinds';
import { PoolBar } from '~/grants/PoolBar';
import { FileLink } from '~/records/FileLink';
import { useClasses } from '~/records/useNames';
import { useCompany } from '~/shell/company';
import { Failure } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import { heldAs, stateName } from '~/ui/State';
import { Table } from '~/ui/Table';

type Sums = Schema<'GrantSums'>;

const heading = 'mt-6 mb-1 font-medium';

/** The pools of a plan, its grants by type, and its documents. */
export function PlanDetails({ plan }: { plan: Schema<'Plan'> }) {
  const { currency } = useCompany();
  const { query } = useDay();
  const { nameOf } = useClasses();
  const dashboard = api.useQuery('get', '/plan/{plan}/dashboard', { params: { path: { plan: plan.id }, query } });
  const data = dashboard.data;
  return (
    <>
      <section aria-label="Pools">
        <h3 className={heading}>Pools</h3>
        {plan.pools.map((pool) => (
          <PoolBar
            key={pool.id}
            pool={pool}
            detail={[nameOf(pool.security), pool.strikePrice && `granted at ${price(pool.strikePrice, currency)}`]
              .filter(Boolean)
              .join(', ')}
          />
        ))}
      </section>
      {dashboard.isError && <Failure what="The figures" error={dashboard.error} retry={dashboard.refetch} />}
      {dashboard.isPending && <div className="skeleton unsized mt-6 h-40" />}
      {data && data.breakdown.length > 0 && (
        <section>
          <h3 className={heading}>Grants by type</h3>
          <Table
            label="Grants by type"
            rows={data.breakdown}
            rowKey={(row) => row.type}
            columns={[
              { header: 'Type', cell: (row) => typeName(row.type) },
              { header: 'Grants', figure: true, cell: (row) => cell(row.grants.toString()) },
              { header: 'Granted', figure: true, cell: (row) => cell(row.quantity) },
              { header: 'Vested', figure: true, cell: (row) => cell(row.vested) },
              { header: 'Exercisable', figure: true, cell: (row) => cell(row.exercisable) },
              { header: 'Outstanding', figure: true, cell: (row) => cell(row.outstanding) },
              {
                header: 'Average price',
                figure: true,
                // Four decimals are enough for an average.
                cell: (row) => price(row.averageExercisePrice && cut(row.averageExercisePrice, 4), currency),
              },
              ...(data.breakdown.some((row) => row.approved !== undefined)
                ? [{ header: 'Approved', figure: true, cell: (row: Sums) => cell(row.approved) }]
                : []),
            ]}
          />
        </section>
      )}
      {data && data.grants > 0 && (
        <section aria-label="Grants by status">
          <h3 className={heading}>Grants by status</h3>
          <Facts
            rows={Object.entries(data.statuses).map(([status, count]) => [
              stateName(heldAs(status)),
              cell(count.toString()),
            ])}
          />
        </section>
      )}
      {data && data.documents.length > 0 && (
        <section aria-label="Documents">
          <h3 className={heading}>Documents</h3>
          <Facts rows={data.documents.map((one) => [words(one.kind), <FileLink key={one.file} file={one.file} />])} />
        </section>
      )}
      {data?.nextVesting && (
        <p className="mt-4 text-ink-3">
          Next vesting: {cell(data.nextVesting.quantity)} on {day(data.nextVesting.date)}.
        </p>
      )}
    </>
  );
}
