import type { Schema } from '~/api/client';
import { valueAt, withValue } from '~/posting/body';
import type { ControlProps } from '~/posting/Control';
import { FractionInput, NumberInput } from '~/posting/NumberInput';
import type { Body } from '~/posting/posting';
import { Field } from '~/ui/Field';
import { Select } from '~/ui/Select';
import { ScheduleCurve } from './ScheduleCurve';

const units = [
  { value: 'days', label: 'Days' },
  { value: 'months', label: 'Months' },
  { value: 'years', label: 'Years' },
];

type PeriodProps = { label: string; path: string; optional?: boolean; pattern: Body; onChange: (next: Body) => void };

/** A number of days, months or years. An empty number removes an optional period. */
function Period({ label, path, optional, pattern, onChange }: PeriodProps) {
  const period = valueAt(pattern, path) as Schema<'VestingPeriod'> | undefined;
  const unit = period?.unit ?? 'months';
  const owner = optional ? (path.split('.')[0] ?? path) : path;
  return (
    <Field label={label} optional={optional}>
      {(parts) => (
        <div className="flex gap-1.5">
          <NumberInput
            {...parts}
            whole
            value={period?.n === undefined ? '' : String(period.n)}
            onChange={(n) =>
              onChange(
                n === undefined && optional
                  ? withValue(pattern, owner, undefined)
                  : withValue(pattern, path, { n, unit }),
              )
            }
          />
          <Select
            label={`${label}, unit`}
            className="w-28 shrink-0"
            choices={units}
            value={unit}
            onChange={(chosen) => onChange(withValue(pattern, path, { ...period, unit: chosen }))}
          />
        </div>
      )}
    </Field>
  );
}

/** The builder of equal installments: duration, period and cliff, with the resulting curve. */
export function VestingPattern({ id, value, onChange, body }: ControlProps) {
  const pattern = (value as Body | undefined) ?? {};
  const fraction = valueAt(pattern, 'cliff.fraction');
  const change = { pattern, onChange };
  return (
    <div id={id} role="group" aria-labelledby={`${id}-label`} className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 max-[900px]:grid-cols-1">
        <Period label="Duration" path="length" {...change} />
        <Period label="Every" path="frequency" {...change} />
        <Period label="Cliff" path="cliff.after" optional {...change} />
        {pattern.cliff !== undefined && (
          <Field label="Vests at the cliff" optional>
            {(parts) => (
              <FractionInput
                {...parts}
                value={typeof fraction === 'string' ? fraction : ''}
                onChange={(next) => onChange(withValue(pattern, 'cliff.fraction', next))}
              />
            )}
          </Field>
        )}
      </div>
      <ScheduleCurve schedule={schemeOf(body, 'continuous')} />
    </div>
  );
}

/** Returns the scheme of an edited schedule with one of its patterns. */
export const schemeOf = (body: Body, pattern: 'continuous' | 'discrete'): Schema<'VestingSchemeTerms'> =>
  ({
    allocation: body.allocation ?? 'CUMULATIVE_ROUND_DOWN',
    [pattern]: body[pattern],
    ...(body.dayRule !== undefined && pattern === 'continuous' && { dayRule: body.dayRule }),
  }) as Schema<'VestingSchemeTerms'>;
