import type { FieldFault } from '~/api/problem';
import { words } from '~/format/words';
import { Input, TextArea } from '~/ui/Input';
import { Select } from '~/ui/Select';
import { CheckList } from './CheckList';
import type { ContractField } from './contract';
import { GroupControl, RowsControl } from './Group';
import { MoneyInput } from './MoneyInput';
import { FractionInput, NumberInput } from './NumberInput';
import type { Body, Context, FieldSpec } from './posting';
import { referenceOf } from './references';

/** ControlProps are the properties of the control of one field. */
export type ControlProps = {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
  /** The name of a control without a label of its own, such as that of a row. */
  'aria-label'?: string;
  spec: FieldSpec;
  contract: ContractField | undefined;
  context: Context;
  body: Body;
  value: unknown;
  /** The faults of the form, and the place of the field in its body, such as "vestings.0.date". */
  faults?: FieldFault[];
  at?: string;
  onChange: (value: unknown) => void;
};

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** The control of a field, from its specification or from its type in the contract. */
export function Control(props: ControlProps) {
  const { spec, contract, context, body, value, faults, at, onChange, ...parts } = props;
  const text = typeof value === 'string' ? value : '';
  const choice = { ...parts, label: parts['aria-label'], optional: !(spec.required ?? contract?.required) };
  const Reference = referenceOf(spec, contract);
  if (spec.choices)
    return <Select {...choice} choices={spec.choices(context)} value={text || undefined} onChange={onChange} />;
  const planned = Reference && context.references?.[spec.name.split('.').pop() ?? ''];
  if (planned) return <Select {...choice} choices={planned} value={text || undefined} onChange={onChange} />;
  if (Reference) return <Reference {...props} />;
  switch (spec.control ?? contract?.kind) {
    case 'enum':
      return (
        <Select
          {...choice}
          choices={(contract?.options ?? []).map((option) => ({ value: option, label: words(option) }))}
          value={text || undefined}
          onChange={onChange}
        />
      );
    case 'boolean':
      return (
        <Select
          {...choice}
          choices={yesOrNo}
          value={value === undefined ? undefined : String(value)}
          onChange={(chosen) => onChange(chosen ? chosen === 'true' : undefined)}
        />
      );
    case 'date':
      return <Input {...parts} type="date" value={text} onChange={(event) => onChange(event.target.value)} />;
    case 'fraction':
      return <FractionInput {...parts} value={text} onChange={onChange} />;
    case 'quantity':
    case 'authorized':
    case 'decimal':
      return <NumberInput {...parts} value={text} onChange={onChange} />;
    case 'integer':
      return <NumberInput {...parts} whole value={value === undefined ? '' : String(value)} onChange={onChange} />;
    case 'long':
      return <TextArea {...parts} value={text} onChange={(event) => onChange(event.target.value)} />;
    case 'comments':
      return (
        <TextArea
          {...parts}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onChange={(event) => onChange(event.target.value ? event.target.value.split('\n') : undefined)}
        />
      );
    case 'amount':
    case 'price':
    case 'money':
      return <MoneyInput {...props} />;
    case 'address':
    case 'object':
      return <GroupControl {...props} />;
    case 'array':
      return contract?.item?.options ? <CheckList {...props} /> : <RowsControl {...props} />;
    default:
      return (
        <Input
          {...parts}
          type={contract?.kind === 'email' ? 'email' : 'text'}
          maxLength={contract?.maxLength}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}
