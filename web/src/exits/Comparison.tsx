import type { ReactNode } from 'react';
import type { Schema } from '~/api/client';
import { compare } from '~/decimal/decimal';
import { amount, cents, money, percent } from '~/format/figures';
import { counted } from '~/format/words';
import { Swatch } from '~/ui/Chip';
import { Section } from '~/ui/Page';
import { useRoving } from '~/ui/roving';
import { Table } from '~/ui/Table';
import type { Division, Series } from './claims';

type Kind = 'class' | 'holder';

type Props = {
  outcome: Schema<'ExitOutcome'>;
  classes: Division;
  holders: Division | undefined;
  /** The kind of series in the drawing, and the chosen ones. */
  by: Kind;
  chosen: string[];
  onChoose: (kind: Kind, id: string) => void;
  onHover: (id: string | undefined) => void;
};

/** The compared prices side by side: payments by class, then by holder. The first column is the legend of the drawing. */
export function Comparison({ outcome, classes, holders, by, chosen, onChoose, onHover }: Props) {
  const { currency } = outcome;
  const values = outcome.values.toSorted((a, b) => compare(a.value, b.value));
  const paid = values.map(classes.paid);
  const amounts = values.map((value) => new Map(value.holders.map((holder) => [holder.entity, holder])));
  const legend = (kind: Kind) => (row: Series) => (
    <button
      type="button"
      aria-pressed={by === kind && chosen.includes(row.id)}
      onClick={() => onChoose(kind, row.id)}
      onPointerEnter={() => onHover(row.id)}
      onPointerLeave={() => onHover(undefined)}
      onFocus={() => onHover(row.id)}
      onBlur={() => onHover(undefined)}
      className="flex min-h-6 items-center gap-2 text-left hover:underline aria-pressed:text-accent"
    >
      <Swatch color={row.color} />
      {row.name}
    </button>
  );
  return (
    <>
      <Section title="By class" detail="choose a class to draw it alone">
        <Legend>
          <Table
            label="Payments by class"
            rows={classes.series.map((one, index) => ({ ...one, index }))}
            rowKey={(row) => row.id}
            columns={[
              { header: 'Class', cell: legend('class') },
              ...values.map((value, column) => ({
                header: amount(value.value, currency),
                figure: true,
                cell: ({ index }: { index: number }) => cents(paid[column]?.[index] ?? '0', currency),
              })),
            ]}
            sums={['Per common share', ...values.map((value) => money(value.pricePerShare, currency))]}
          />
        </Legend>
      </Section>
      <Section title="By holder" detail={counted(holders?.series.length ?? 0, 'holder')}>
        <Legend>
          <Table
            label="Payments by holder"
            rows={holders?.series ?? []}
            rowKey={(row) => row.id}
            columns={[
              { header: 'Holder', cell: legend('holder') },
              ...values.map((value, index) => ({
                header: amount(value.value, currency),
                figure: true,
                cell: (row: Series) => {
                  const holder = amounts[index]?.get(row.id);
                  return holder ? <span title={percent(holder.percent)}>{cents(holder.amount, currency)}</span> : '–';
                },
              })),
            ]}
          />
        </Legend>
      </Section>
    </>
  );
}

function Legend({ children }: { children: ReactNode }) {
  const roving = useRoving<HTMLDivElement>('[aria-pressed=true]');
  return <div {...roving}>{children}</div>;
}
