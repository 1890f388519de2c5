import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { isDecimal } from '~/decimal/decimal';
import { cents, money, quantity, share } from '~/format/figures';
import { words } from '~/format/words';
import { NumberInput } from '~/posting/NumberInput';
import { useCompany } from '~/shell/company';
import { Field } from '~/ui/Field';
import { Facts } from '~/ui/Page';

/** The result of an instrument in a round at a chosen pre-money value: the price, the term that set it, and the shares. */
export function ConversionPreview({ holding }: { holding: string }) {
  const { id: organization, currency } = useCompany();
  const [value, setValue] = useState('20000000');
  const outcome = useQuery({
    queryKey: ['post', '/organization/{organization}/scenario/round', organization, 'conversion', value],
    queryFn: async () => {
      const body = { preMoney: value, security: { name: 'Modelled class' } } as Schema<'RoundTerms'>;
      const params = { path: { organization } };
      return (await client.POST('/organization/{organization}/scenario/round', { params, body }))
        .data as Schema<'RoundOutcome'>;
    },
    enabled: isDecimal(value),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const row = outcome.data?.conversions.find((one) => one.holding === holding);
  return (
    <section aria-label="Conversion" className="mt-6">
      <h3 className="mb-2 font-medium">Conversion in a round</h3>
      <Field label="Pre-money value" error={outcome.isError ? problemOf(outcome.error).message : undefined}>
        {(parts) => <NumberInput {...parts} value={value} onChange={(next) => setValue(String(next))} />}
      </Field>
      {row && outcome.data && (
        <Facts
          rows={[
            ['Amount with interest', cents(row.amount, currency)],
            ['Price', money(row.price, currency)],
            ['Set by', words(row.basis)],
            ['Shares', quantity(row.shares)],
            ['After the round', share(row.shares, outcome.data.sharesAfter)],
            ...row.offers.map(
              (offer) => [`By ${words(offer.basis).toLowerCase()}`, money(offer.price, currency)] as const,
            ),
          ]}
        />
      )}
    </section>
  );
}
