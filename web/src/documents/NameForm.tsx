import { type FormEvent, useRef, useState } from 'react';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Unsaved } from '~/ui/Unsaved';

type Props = { label: string; initial?: string; action: string; error?: string; onSubmit: (name: string) => void };

/** The parts of the address that an open form depends on. */
const parts = ['open', 'folder'];

/** A form with one name, as of a folder. */
export function NameForm({ label, initial = '', action, error, onSubmit }: Props) {
  const [name, setName] = useState(initial);
  const sent = useRef(initial); // a stored name closes the form before it is shown again
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sent.current = name;
    onSubmit(name);
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <Unsaved changed={() => name !== initial && (name !== sent.current || error !== undefined)} parts={parts} />
      <div className="flex-1">
        <Field label={label} error={error}>
          {(parts) => (
            <Input {...parts} maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
      </div>
      <Button type="submit" disabled={!name.trim() || name === initial}>
        {action}
      </Button>
    </form>
  );
}
