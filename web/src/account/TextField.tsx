import type { ComponentPropsWithRef, ReactNode } from 'react';
import type { Problem } from '~/api/problem';
import { faultAt } from '~/posting/body';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';

type Props = Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'value'> & {
  label: string;
  help?: ReactNode;
  /** The path of the field in the body of the request. */
  name: string;
  problem?: Problem;
  optional?: boolean;
  value: string;
  onChange: (value: string) => void;
};

/** A labelled text input whose error comes from the refused request. */
export function TextField({ label, help, name, problem, optional, value, onChange, ...rest }: Props) {
  return (
    <Field label={label} help={help} optional={optional} error={problem && faultAt(problem.faults, name)}>
      {(parts) => (
        <Input {...parts} {...rest} name={name} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
