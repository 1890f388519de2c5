import { type FormEvent, useState } from 'react';
import { problemOf } from '~/api/problem';
import type { Body, Context } from '~/posting/posting';
import { Button } from '~/ui/Button';
import { type Addable, type additions, formOf } from './forms';
import { ItemForm } from './PlanItem';

type Props = {
  addition: (typeof additions)[number];
  context: Context;
  busy: boolean;
  error: unknown;
  onAdd: (record: { kind: Addable; fields: Body }) => void;
  onCancel: () => void;
};

/** The form of a record that the user adds to the plan. */
export function AddItem({ addition, context, busy, error, onAdd, onCancel }: Props) {
  const form = formOf(addition.form);
  const [body, setBody] = useState<Body>(() => form.initial?.(context) ?? {});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAdd({ kind: addition.kind, fields: form.complete?.(body, context) ?? body });
  };
  const noun = addition.label === 'SAFE' ? addition.label : addition.label.toLowerCase();
  return (
    <form onSubmit={submit} noValidate className="max-w-2xl border-b border-line py-5" aria-label={`New ${noun}`}>
      <h3 className="mb-3 font-medium">New {noun}</h3>
      <ItemForm
        form={form}
        context={context}
        body={body}
        problem={error ? problemOf(error) : undefined}
        label={`New ${noun}`}
        onChange={setBody}
      />
      <div className="mt-4 flex gap-2">
        <Button type="submit" look="primary" disabled={busy}>
          Add the {noun}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
