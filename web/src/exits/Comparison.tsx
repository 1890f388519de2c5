import type { Schema } from '~/api/client';
import { amount, cents, money, percent } from '~/format/figures';
import { Swatch } from '~/ui/Chip';
import { Section } from '~/ui/Page';
import { Table } from '~/ui/Table';
import { type ClaimGroup, paidTo } from './claims';

type Props = {
  outcome: Schema<'ExitOutcome'>;
  groups: ClaimGroup[];
  of: ClaimGroup[];
  onHover: (group: string | undefined) => void;
};

/** The compared prices side by side: payments by class, then by holder. */
export function Comparison({ outcome, groups, of, onHover }: Props) {
  const { currency, values } = outcome;
  const paid = values.map((value) => paidTo(groups, of, value));
  const holders = new Map<string, string>();
  for (const value of values) for (const holder of value.holders) holders.set(holder.entity, holder.name);
  const at = (entity: string, index: number) => values[index]?.holders.find((holder) => holder.entity === entity);
  return (
    <>
      <Section title="By class">
        <Table
          label="Payments by class"
          rows={groups.map((group, index) => ({ group, index }))}
          rowKey={({ group }) => group.id}
          columns={[
            {
              header: 'Class',
              cell: ({ group }) => (
                <span
                  className="flex items-center gap-2"
                  onPointerEnter={() => onHover(group.id)}
                  onPointerLeave={() => onHover(undefined)}
                >
                  <Swatch color={group.color} />
                  {group.name}
                </span>
              ),
            },
            ...values.map((value, column) => ({
              header: amount(value.value, currency),
              figure: true,
              cell: ({ index }: { index: number }) => cents(paid[column]?.[index] ?? '0', currency),
            })),
          ]}
          sums={['Per common share', ...values.map((value) => money(value.pricePerShare, currency))]}
        />
      </Section>
      <Section title="By holder" detail={`${holders.size} holders`}>
        <Table
          label="Payments by holder"
          rows={[...holders].map(([entity, name]) => ({ entity, name }))}
          rowKey={(row) => row.entity}
          columns={[
            { header: 'Holder', cell: (row) => row.name },
            ...values.map((value, index) => ({
              header: amount(value.value, currency),
              figure: true,
              cell: (row: { entity: string }) => {
                const holder = at(row.entity, index);
                return holder ? <span title={percent(holder.percent)}>{cents(holder.amount, currency)}</span> : '–';
              },
            })),
          ]}
        />
      </Section>
    </>
  );
}
