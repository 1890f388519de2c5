import { problemOf } from '~/api/problem';
import { sum } from '~/decimal/decimal';
import { cents, money, quantity, share } from '~/format/figures';
import { NumberInput } from '~/posting/NumberInput';
import { textOf, useAddress, written } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Field } from '~/ui/Field';
import { Section } from '~/ui/Page';
import { Segments } from '~/ui/Segments';
import { AmountSlider } from '~/ui/Slider';
import { Table } from '~/ui/Table';
import { basisName, kindName } from './kinds';
import { type Basis, useConversions } from './useConversions';

const ranges = {
  preMoney: { label: 'Value before the new money', from: '1000000', to: '1000000000', start: '20000000' },
  pricePerShare: { label: 'Price per share', from: '1', to: '100', start: '2' },
} as const;

/** The result of every outstanding convertible in a round at a chosen value or price. */
export function Conversions() {
  const { currency } = useCompany();
  const [address, setAddress] = useAddress();
  const basis: Basis = address.by === 'pricePerShare' ? 'pricePerShare' : 'preMoney';
  const value = textOf(address.at, ranges[basis].start);
  const setValue = (at: string) => setAddress({ at: written(at) });
  const outcome = useConversions(basis, value);
  const range = ranges[basis];
  const choose = (next: Basis) => setAddress({ by: next === 'preMoney' ? undefined : next, at: undefined });
  const data = outcome.data;
  return (
    <Section
      title="Conversion in a round"
      detail={data && `at ${money(data.pricePerShare, currency)} a share`}
      actions={
        <Segments
          label="Given"
          value={basis}
          choices={[
            ['preMoney', 'Value'],
            ['pricePerShare', 'Price'],
          ]}
          onChange={choose}
        />
      }
    >
      <div className="mb-4 grid grid-cols-[240px_1fr] items-end gap-x-8 gap-y-3 max-[900px]:grid-cols-1">
        <Field label={range.label} error={outcome.isError ? problemOf(outcome.error).message : undefined}>
          {(parts) => (
            <NumberInput {...parts} unit={currency} value={value} onChange={(next) => setValue(String(next))} />
          )}
        </Field>
        {basis === 'preMoney' && (
          <div className="flex h-8 items-center">
            <AmountSlider
              label={`${range.label}, slider`}
              value={value}
              from={range.from}
              to={range.to}
              onChange={setValue}
            />
          </div>
        )}
      </div>
      {outcome.isPending && <div className="skeleton unsized h-24" />}
      {data && (
        <Table
          label="Conversions"
          rows={data.conversions}
          rowKey={(row) => row.holding}
          columns={[
            {
              header: 'Holder',
              cell: (row) => (
                <button
                  type="button"
                  className="hover:underline"
                  onClick={() => setAddress({ open: row.holding }, true)}
                >
                  {row.name}
                </button>
              ),
            },
            { header: 'Kind', cell: (row) => kindName(row.kind) },
            { header: 'Amount', figure: true, cell: (row) => cents(row.amount, data.currency) },
            { header: 'Of it interest', figure: true, cell: (row) => cents(row.interest, data.currency) },
            { header: 'Set by', cell: (row) => basisName(row.basis) },
            { header: 'Price', figure: true, cell: (row) => money(row.price, data.currency) },
            { header: 'Shares', figure: true, cell: (row) => quantity(row.shares) },
            { header: 'After the round', figure: true, cell: (row) => share(row.shares, data.sharesAfter) },
          ]}
          sums={[
            'Total',
            '',
            cents(sum(data.conversions.map((row) => row.amount)), data.currency),
            cents(sum(data.conversions.map((row) => row.interest)), data.currency),
            '',
            '',
            quantity(sum(data.conversions.map((row) => row.shares))),
            share(sum(data.conversions.map((row) => row.shares)), data.sharesAfter),
          ]}
        />
      )}
    </Section>
  );
}
