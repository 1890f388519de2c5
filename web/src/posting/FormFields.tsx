import type { FieldFault } from '~/api/problem';
import { words } from '~/format/words';
import { Field } from '~/ui/Field';
import { faultAt, ownFault, valueAt, withValue } from './body';
import { Control } from './Control';
import { fieldAt, operationOf } from './contract';
import { helpFor } from './help';
import { fullWidths, isShort } from './layout';
import { NestedControl } from './nested';
import type { Body, Context, FieldSpec, Posting } from './posting';

type Props = {
  posting: Posting;
  fields: FieldSpec[];
  faults: FieldFault[];
  context: Context;
  body: Body;
  onChange: (body: Body) => void;
};

/** The fields of a posting. Short controls, such as a number and a date, stand in pairs. */
export function FormFields({ posting, fields, faults, context, body, onChange }: Props) {
  const operation = operationOf(posting.operation);
  const full = fullWidths(fields.map((field) => isShort(field, fieldAt(operation, field.name))));
  return (
    <NestedControl value={Control}>
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        {fields.map((field, index) => {
          const contract = fieldAt(operation, field.name);
          const label = field.label ?? words(field.name.split('.').pop() ?? '');
          const nested = contract?.fields !== undefined || contract?.item?.fields !== undefined;
          return (
            <div key={field.name} className={`part ${full[index] ? 'col-span-2' : 'min-w-0'}`}>
              <Field
                label={label}
                help={helpFor(field, contract, label, posting.title)}
                optional={!(field.required ?? contract?.required)}
                error={nested ? ownFault(faults, field.name) : faultAt(faults, field.name)}
              >
                {(parts) => (
                  <Control
                    {...parts}
                    spec={field}
                    contract={contract}
                    context={context}
                    body={body}
                    faults={faults}
                    at={field.name}
                    value={valueAt(body, field.name)}
                    onChange={(value) => onChange(withValue(body, field.name, value))}
                  />
                )}
              </Field>
            </div>
          );
        })}
      </div>
    </NestedControl>
  );
}
