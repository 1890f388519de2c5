import { useCapTable } from '~/api/captable';
import { classColors } from '~/charts/colors';
import { useDay } from '~/day/day';
import { useCompany } from '~/shell/company';
import { Failure } from '~/ui/Notice';
import { Holdings } from './Holdings';

/** The records of one stakeholder, for pages without the cap table. */
export function StakeholderHoldings({ entity }: { entity: string }) {
  const { id } = useCompany();
  const { query } = useDay();
  const table = useCapTable(id, query);
  if (table.isPending) return <div className="skeleton unsized mt-6 h-24" />;
  if (table.error) return <Failure what="The holdings" error={table.error} retry={table.refetch} />;
  return (
    <Holdings
      entity={entity}
      names={new Map(table.data.securities.map((security) => [security.id, security.name]))}
      colors={classColors(table.data.securities)}
      convertibles={table.data.convertibles.filter((one) => one.entity === entity)}
    />
  );
}
