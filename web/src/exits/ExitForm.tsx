import { Plus, X } from 'lucide-react';
import { FractionInput, NumberInput } from '~/posting/NumberInput';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { AmountSlider } from '~/ui/Slider';
import { type ExitModel, isPrice } from './terms';

type Props = { model: ExitModel; onChange: (change: Partial<ExitModel>) => void; today: string };

const most = 6; // compared prices

/** The terms of the sale: the prices to compare, costs, day, and acceleration. */
export function ExitForm({ model, onChange, today }: Props) {
  const { currency } = useCompany();
  const change = (at: number, value: string) =>
    onChange({ values: model.values.map((one, index) => (index === at ? value : one)) });
  return (
    <form className="flex flex-col gap-4" aria-label="Terms" onSubmit={(event) => event.preventDefault()}>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">Sale prices</legend>
        {model.values.map((value, index) => (
          <div key={index} className="flex flex-col gap-1">
            <div className="flex gap-1.5">
              <NumberInput
                aria-label={`Price ${index + 1}`}
                aria-invalid={isPrice(value) ? undefined : true}
                unit={currency}
                value={value}
                onChange={(next) => change(index, String(next))}
              />
              {model.values.length > 1 && (
                <IconButton
                  label={`Remove price ${index + 1}`}
                  onClick={() => onChange({ values: model.values.filter((_, place) => place !== index) })}
                >
                  <X size={14} aria-hidden />
                </IconButton>
              )}
            </div>
            <AmountSlider
              label={`Price ${index + 1}, slider`}
              value={value}
              from="100000"
              to="1000000000"
              onChange={(next) => change(index, next)}
            />
          </div>
        ))}
        {model.values.length < most && (
          <Button
            look="ghost"
            className="self-start"
            onClick={() => onChange({ values: [...model.values, '200000000'] })}
          >
            <Plus size={15} aria-hidden />
            Compare another price
          </Button>
        )}
      </fieldset>
      <Field label="Costs of the sale" optional>
        {(parts) => (
          <FractionInput
            {...parts}
            value={model.costRate}
            onChange={(value) => onChange({ costRate: String(value) })}
          />
        )}
      </Field>
      <Field label="Further costs" optional>
        {(parts) => (
          <NumberInput
            {...parts}
            unit={currency}
            value={model.costs}
            onChange={(value) => onChange({ costs: String(value) })}
          />
        )}
      </Field>
      <Field label="Day of the sale" help="Interest accrues and options vest up to this day.">
        {(parts) => (
          <Input
            {...parts}
            type="date"
            value={model.date ?? today}
            onChange={(event) => onChange({ date: event.target.value || undefined })}
          />
        )}
      </Field>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-(--accent)"
          checked={model.acceleration}
          onChange={(event) => onChange({ acceleration: event.target.checked })}
        />
        All unvested options vest
      </label>
    </form>
  );
}
