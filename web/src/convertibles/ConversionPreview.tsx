import { problemOf } from '~/api/problem';
import { cents, money, quantity, share } from '~/format/figures';
import { NumberInput } from '~/posting/NumberInput';
import { textOf, useAddress, written } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Field } from '~/ui/Field';
import { Facts } from '~/ui/Page';
import { AmountSlider } from '~/ui/Slider';
import { basisName } from './kinds';
import { useConversions } from './useConversions';

/** The result of an instrument in a round at a chosen pre-money value: the price, the term that set it, and the shares. */
export function ConversionPreview({ holding }: { holding: string }) {
  const { currency } = useCompany();
  const [address, setAddress] = useAddress();
  const value = textOf(address.by ? undefined : address.at, '20000000');
  const setValue = (at: string) => setAddress({ at: written(at), by: undefined });
  const outcome = useConversions('preMoney', value);
  const row = outcome.data?.conversions.find((one) => one.holding === holding);
  return (
    <section aria-label="Conversion" className="mt-6">
      <h3 className="mb-2 font-medium">Conversion in a round</h3>
      <Field label="Value before the new money" error={outcome.isError ? problemOf(outcome.error).message : undefined}>
        {(parts) => (
          <NumberInput {...parts} unit={currency} value={value} onChange={(next) => setValue(String(next))} />
        )}
      </Field>
      <div className="mt-2 mb-1">
        <AmountSlider
          label="Value before the new money, slider"
          value={value}
          from="1000000"
          to="1000000000"
          onChange={setValue}
        />
      </div>
      {outcome.isPending && <div className="skeleton unsized h-40" />}
      {row && outcome.data && (
        <Facts
          rows={[
            ['Amount with interest', cents(row.amount, currency)],
            ['Price', `${money(row.price, currency)}, by ${basisName(row.basis).toLowerCase()}`],
            ['Shares', quantity(row.shares)],
            ['After the round', share(row.shares, outcome.data.sharesAfter)],
            ...row.offers
              .filter((offer) => offer.basis !== row.basis)
              .map(
                (offer) =>
                  [
                    `By ${basisName(offer.basis).toLowerCase()} instead`,
                    `${money(offer.price, currency)}, ${quantity(offer.shares.replace(/\..*/, ''))} shares`,
                  ] as const,
              ),
          ]}
        />
      )}
    </section>
  );
}
