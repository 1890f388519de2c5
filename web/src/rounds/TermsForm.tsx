import { useId } from 'react';
import { FractionInput, NumberInput } from '~/posting/NumberInput';
import { usePlans } from '~/records/useNames';
import { useCompany } from '~/shell/company';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Select } from '~/ui/Select';
import { AmountSlider, FractionSlider } from '~/ui/Slider';
import { Investors } from './Investors';
import { type Basis, bases, classes, conventions, examples, type Terms } from './terms';

type Props = { terms: Terms; onChange: (change: Partial<Terms>) => void; today: string };

/** The terms of the round: exact fields with sliders. */
export function TermsForm({ terms, onChange, today }: Props) {
  const basis = bases.find((one) => one.value === terms.basis) ?? bases[0];
  const id = useId();
  const { currency } = useCompany();
  const { plans } = usePlans();
  const pools = plans.rows.flatMap((plan) =>
    plan.pools.map((pool) => ({ value: `${plan.id}/${pool.id}`, label: `${plan.name}, ${pool.name}` })),
  );
  return (
    <form className="flex flex-col gap-4" aria-label="Terms" onSubmit={(event) => event.preventDefault()}>
      <Field label="New class">
        {(parts) => (
          <Input
            {...parts}
            value={terms.name}
            placeholder={examples.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="flex flex-col gap-1.5">
        <Select
          label="Valuation by"
          choices={bases}
          value={terms.basis}
          onChange={(chosen) =>
            onChange({ basis: chosen as Basis, value: chosen === 'pricePerShare' ? '1' : '20000000' })
          }
        />
        <label htmlFor={id} className="sr-only">
          {basis?.label}
        </label>
        <NumberInput
          id={id}
          unit={currency}
          value={terms.value}
          onChange={(value) => onChange({ value: String(value) })}
        />
        {basis && (
          <AmountSlider
            label={`${basis.label}, slider`}
            value={terms.value}
            from={basis.from}
            to={basis.to}
            onChange={(value) => onChange({ value })}
          />
        )}
      </div>
      <Investors investments={terms.investments} onChange={(investments) => onChange({ investments })} />
      <Field label="Pool after the round" help="Available options as a share of the company after the round." optional>
        {(parts) => (
          <>
            <FractionInput {...parts} value={terms.pool} onChange={(value) => onChange({ pool: String(value) })} />
            <FractionSlider
              label="Pool after the round, slider"
              value={terms.pool}
              most={30}
              onChange={(pool) => onChange({ pool })}
            />
          </>
        )}
      </Field>
      {terms.pool && pools.length > 1 && (
        <Field label="Growing pool">
          {(parts) => (
            <Select
              {...parts}
              choices={pools}
              value={terms.grows || undefined}
              onChange={(grows) => onChange({ grows })}
            />
          )}
        </Field>
      )}
      <Field label="Convertibles" help="The shares that divide the pre-money value.">
        {(parts) => (
          <Select
            {...parts}
            choices={conventions}
            value={terms.convention}
            onChange={(convention) => onChange({ convention: convention as Terms['convention'] })}
          />
        )}
      </Field>
      <Field
        label="Converted shares"
        help="Each share has the preference of its price. A series has its own price and terms."
      >
        {(parts) => (
          <Select
            {...parts}
            choices={classes}
            value={terms.oneClass ? 'none' : 'perPrice'}
            onChange={(chosen) => onChange({ oneClass: chosen === 'none' })}
          />
        )}
      </Field>
      <Field label="Closing date" help="Interest on notes accrues to this day.">
        {(parts) => (
          <Input
            {...parts}
            type="date"
            value={terms.date ?? today}
            onChange={(event) => onChange({ date: event.target.value || undefined })}
          />
        )}
      </Field>
    </form>
  );
}
