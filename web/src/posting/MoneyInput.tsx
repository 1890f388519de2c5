import { useState } from 'react';
import type { ControlProps } from './Control';
import { currencyOf, isMoney } from './catalog/figures';
import { NumberInput } from './NumberInput';

/**
 * An input of an amount or a price, with its currency. A field of the kind "money" has an amount with its currency. All others have a
 * decimal in the currency of the principal or of the company; a stored one with another currency keeps it.
 */
export function MoneyInput({ value, onChange, context, spec, contract, body, faults, at, ...parts }: ControlProps) {
  const own = isMoney(value) ? value : undefined;
  const [stored] = useState(own?.currency);
  const foreign = own?.currency ?? stored;
  const usual = spec.inCompanyCurrency ? context.company.currency : currencyOf(context, body);
  const stated = foreign !== undefined || contract?.kind === 'money';
  const currency = foreign ?? usual;
  return (
    <NumberInput
      {...parts}
      unit={currency}
      value={String((own ? own.amount : value) ?? '')}
      onChange={(amount) => onChange(amount && stated ? { amount, currency } : amount)}
    />
  );
}
