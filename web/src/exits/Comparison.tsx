import { type ReactNode, useMemo } from 'react';
import type { Schema } from '~/api/client';
import { compare } from '~/decimal/decimal';
import { cents, money, percent } from '~/format/figures';
import type { Column } from '~/register/column';
import { Register } from '~/register/Register';
import { Swatch } from '~/ui/Chip';
import { Empty } from '~/ui/Notice';
import { Section } from '~/ui/Page';
import { useRoving } from '~/ui/roving';
import { Table } from '~/ui/Table';
import type { Division, Series } from './claims';

type Kind = 'class' | 'holder';

type Props = {
  outcome: Schema<'ExitOutcome'>;
  classes: Division;
  /** The outcome with the payments of holders, and their division; undefined before it is read. */
  listed: Schema<'ExitOutcome'> | undefined;
  holders: Division | undefined;
  /** Whether the payments of holders are those of earlier terms, or are being read. */
  waits: boolean;
  /** The kind of series in the drawing, and the chosen ones. */
  by: Kind;
  chosen: string[];
  onChoose: (kind: Kind, id: string) => void;
  onHover: (id: string | undefined) => void;
};

/** The compared prices side by side: payments by class, then by holder. The first column is the legend of the drawing. */
export function Comparison({ outcome, classes, listed, holders, waits, by, chosen, onChoose, onHover }: Props) {
  const { currency } = outcome;
  const values = outcome.values.toSorted((a, b) => compare(a.value, b.value));
  const paid = values.map(classes.paid);
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
                header: cents(value.value, currency),
                figure: true,
                cell: ({ index }: { index: number }) => cents(paid[column]?.[index] ?? '0', currency),
              })),
            ]}
            sums={['Per common share', ...values.map((value) => money(value.pricePerShare, currency))]}
          />
        </Legend>
      </Section>
      {(holders || waits) && (
        <div className="mt-8" aria-busy={waits}>
          {listed && holders ? (
            <HolderPayments
              outcome={listed}
              series={holders.series}
              legend={legend('holder')}
              pressed={by === 'holder' ? chosen.join(',') : ''}
            />
          ) : (
            <div className="skeleton unsized h-[280px]" />
          )}
        </div>
      )}
    </>
  );
}

function Legend({ children }: { children: ReactNode }) {
  const roving = useRoving<HTMLDivElement>('[aria-pressed=true]');
  return <div {...roving}>{children}</div>;
}

type HolderProps = {
  outcome: Schema<'ExitOutcome'>;
  series: Series[];
  legend: (row: Series) => ReactNode;
  /** The chosen holders, whose change renders the legend again. */
  pressed: string;
};

/** The payments of all holders, in a register: a company may have thousands of them. */
function HolderPayments({ outcome, series, legend, pressed }: HolderProps) {
  const columns = useMemo((): Column<Series>[] => {
    const { currency } = outcome;
    return [
      { id: 'holder', header: 'Holder', value: (row) => row.name, cell: legend, narrow: 'title' },
      ...outcome.values
        .toSorted((a, b) => compare(a.value, b.value))
        .map(({ value, holders }): Column<Series> => {
          const payments = new Map(holders.map((holder) => [holder.entity, holder]));
          return {
            id: value,
            header: cents(value, currency),
            kind: 'decimal',
            value: (row) => payments.get(row.id)?.amount,
            cell: (row) => {
              const payment = payments.get(row.id);
              return payment ? (
                <span title={percent(payment.percent, payment.amount)}>{cents(payment.amount, currency)}</span>
              ) : (
                '–'
              );
            },
          };
        }),
    ];
  }, [outcome, pressed]);
  return (
    <Register
      label="Payments by holder"
      noun="holder"
      name="holders"
      rows={series}
      columns={columns}
      rowId={(row) => row.id}
      empty={<Empty title="No payments">No holder has a claim.</Empty>}
    />
  );
}
