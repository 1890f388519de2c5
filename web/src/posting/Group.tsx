import { Plus, X } from 'lucide-react';
import { words } from '~/format/words';
import { Button, IconButton } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { faultAt, valueAt, withValue } from './body';
import type { ControlProps } from './Control';
import { type ContractField, labelOf } from './contract';
import { fullWidths, isShort } from './layout';
import { useNestedControl } from './nested';
import type { Body } from './posting';

type FieldsProps = Pick<ControlProps, 'context' | 'faults' | 'at'> & {
  fields: ContractField[];
  value: Body;
  onChange: (value: Body) => void;
};

/** The fields of a nested object, from the contract. Its id is kept, but not shown. */
function Fields({ fields: all, context, faults = [], at = '', value, onChange }: FieldsProps) {
  const Control = useNestedControl();
  const fields = all.filter((field) => field.name !== 'id');
  const full = fullWidths(fields.map((field) => isShort({ name: field.name }, field)));
  return (
    <div className="grid grid-cols-2 gap-3">
      {fields.map((field, index) => {
        const place = `${at}.${field.name}`;
        return (
          <div key={field.name} className={full[index] ? 'col-span-2' : 'min-w-0'}>
            <Field
              label={labelOf(field)}
              help={field.help || undefined}
              optional={!field.required}
              error={faultAt(faults, place)}
            >
              {(parts) => (
                <Control
                  {...parts}
                  spec={{ name: field.name }}
                  contract={field}
                  context={context}
                  body={value}
                  faults={faults}
                  at={place}
                  value={valueAt(value, field.name)}
                  onChange={(next) => onChange(withValue(value, field.name, next))}
                />
              )}
            </Field>
          </div>
        );
      })}
    </div>
  );
}

/** The control of a nested object. */
export function GroupControl({ id, contract, context, faults, at, value, onChange }: ControlProps) {
  const body = (value as Body | undefined) ?? {};
  return (
    <div id={id} role="group" aria-labelledby={`${id}-label`} className="border-l border-line pl-3">
      <Fields
        fields={contract?.fields ?? []}
        context={context}
        faults={faults}
        at={at}
        value={body}
        onChange={(next) => onChange(Object.keys(next).length > 0 ? next : undefined)}
      />
    </div>
  );
}

/** The control of a list of objects or of plain values: rows that can be added and removed. */
export function RowsControl(props: ControlProps) {
  const { contract, context, value, onChange } = props;
  const Control = useNestedControl();
  const item = contract?.item;
  const rows = Array.isArray(value) ? value : [];
  const nested = item?.fields !== undefined;
  const name = props.spec.label ?? words(props.spec.name.split('.').pop() ?? '');
  const replace = (at: number, next: unknown) => onChange(rows.map((row, index) => (index === at ? next : row)));
  return (
    <div id={props.id} role="group" aria-labelledby={`${props.id}-label`} className="flex flex-col gap-2">
      {rows.map((row, index) => (
        // The rows have no identity beside their place.
        <div key={`row ${index.toString()}`} className="flex items-start gap-1.5 border-l border-line pl-3">
          <div className="min-w-0 flex-1">
            {nested ? (
              <Fields
                fields={item?.fields ?? []}
                context={context}
                faults={props.faults}
                at={`${props.at}.${index}`}
                value={(row as Body) ?? {}}
                onChange={(next) => replace(index, next)}
              />
            ) : (
              <Control
                id={`${props.id}-${index}`}
                aria-label={`${name} ${index + 1}`}
                spec={{ name: props.spec.name }}
                contract={item && { ...item, name: contract?.name ?? '' }}
                context={context}
                body={props.body}
                at={`${props.at}.${index}`}
                value={row}
                onChange={(next) => replace(index, next)}
              />
            )}
          </div>
          <IconButton
            label={`Remove row ${index + 1}`}
            onClick={() => {
              const left = rows.filter((_, place) => place !== index);
              onChange(left.length > 0 ? left : undefined);
            }}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button look="ghost" className="self-start" onClick={() => onChange([...rows, nested ? {} : ''])}>
        <Plus size={15} aria-hidden />
        Add
      </Button>
    </div>
  );
}
