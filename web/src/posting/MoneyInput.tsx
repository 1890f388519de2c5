import type { ControlProps } from './Control';
import { NumberInput } from './NumberInput';

type Money = { amount?: string; currency?: string };

/** An input of an amount. Its currency is that of the stored amount, or else of the company. */
export function MoneyInput({ value, onChange, context, spec, contract, body, faults, at, ...parts }: ControlProps) {
  const money = (value as Money | undefined) ?? {};
  const currency = money.currency ?? context.company.currency;
  return (
    <div className="flex items-center gap-2">
      <NumberInput
        {...parts}
        value={money.amount ?? ''}
        onChange={(amount) => onChange(amount ? { amount, currency } : undefined)}
      />
      <span className="text-ink-3">{currency}</span>
    </div>
  );
}
