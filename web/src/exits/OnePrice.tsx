import type { Schema } from '~/api/client';
import { sum } from '~/decimal/decimal';
import { cents, money, share } from '~/format/figures';
import { Swatch } from '~/ui/Chip';
import { Section } from '~/ui/Page';
import { Table } from '~/ui/Table';
import type { Division } from './claims';

type Props = { value: Schema<'ExitValue'>; currency: string; division: Division };

/** One sale price of the drawing in detail. */
export function OnePrice({ value, currency, division: { layers, paid } }: Props) {
  const amounts = paid(value);
  const total = sum(amounts);
  return (
    <Section
      title={`At ${cents(value.value, currency)}`}
      detail={`${money(value.pricePerShare, currency)} per common share`}
    >
      <Table
        label="Payments at the selected price"
        rows={layers.map((layer, index) => ({ ...layer, paid: amounts[index] ?? '0' }))}
        rowKey={(row) => row.id}
        columns={[
          {
            header: 'Paid to',
            cell: (row) => (
              <span className="flex items-center gap-2">
                <Swatch color={row.color} />
                {row.name}
              </span>
            ),
          },
          { header: 'Amount', figure: true, cell: (row) => cents(row.paid, currency) },
          { header: '% of the price', figure: true, cell: (row) => share(row.paid, value.value) },
        ]}
        sums={['Total', cents(total, currency), share(total, value.value)]}
      />
    </Section>
  );
}
