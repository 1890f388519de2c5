import { type FormEvent, useRef, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { readProblem } from '~/api/problem';
import { faultAt } from '~/posting/body';
import { NumberInput } from '~/posting/NumberInput';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Select } from '~/ui/Select';
import { Unsaved } from '~/ui/Unsaved';
import { useAction } from './useAction';

const somebodyElse = 'other';

/** Sends a transfer. Its amount is a number in JSON, with the digits of the form. */
async function send(parties: { fromEntity: string; toEntity: string }, amount: string, key: string) {
  const response = await fetch('/v1/credit/transfer', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(parties).replace(/\}$/, `,"amount":${amount}}`),
  });
  if (!response.ok) throw await readProblem(response);
}

/** Transfers credit of the user or of a company to another person or company. */
export function CreditForm() {
  const user = useUser();
  const accounts = [
    { value: user.entity, label: 'You' },
    ...(user.organizations ?? []).map((one) => ({ value: one.id, label: one.name })),
  ];
  const [from, setFrom] = useState<string>(user.entity);
  const [to, setTo] = useState('');
  const [entity, setEntity] = useState('');
  const [amount, setAmount] = useState('');
  const key = useRef(crypto.randomUUID());
  const recipient = to === somebodyElse ? entity.trim() : to;
  const valid = /^(0|[1-9][0-9]*)(\.[0-9]{1,2})?$/.test(amount) && recipient !== '' && recipient !== from;
  const transfer = useAction(
    () => send({ fromEntity: from, toEntity: recipient }, amount, key.current),
    'Credit transferred',
  );
  const change = (set: (value: string) => void) => (value: string) => {
    key.current = crypto.randomUUID();
    set(value);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    transfer.mutate(undefined, { onSuccess: () => change(setAmount)('') });
  };
  const errorAt = (name: string) => transfer.problem && faultAt(transfer.problem.faults, name);
  return (
    <form onSubmit={submit} aria-label="Transfer of credit" className="mt-4 flex max-w-md flex-col gap-3">
      <Unsaved changed={() => to !== '' || entity !== '' || amount !== ''} />
      <Field label="From" error={errorAt('fromEntity')}>
        {(parts) => <Select {...parts} choices={accounts} value={from} onChange={change(setFrom)} />}
      </Field>
      <Field label="To" error={to === somebodyElse ? undefined : errorAt('toEntity')}>
        {(parts) => (
          <Select
            {...parts}
            choices={[
              ...accounts.filter((one) => one.value !== from),
              { value: somebodyElse, label: 'Another person or company' },
            ]}
            value={to || undefined}
            onChange={change(setTo)}
          />
        )}
      </Field>
      {to === somebodyElse && (
        <TextField
          label="Number of the recipient"
          help="The recipient finds it on this page, below the credit."
          name="toEntity"
          problem={transfer.problem}
          value={entity}
          onChange={change(setEntity)}
        />
      )}
      <Field label="Amount" error={errorAt('amount')}>
        {(parts) => <NumberInput {...parts} value={amount} onChange={(next) => change(setAmount)(String(next))} />}
      </Field>
      <Refusal problem={transfer.problem} />
      <div>
        <Button type="submit" disabled={!valid || transfer.isPending}>
          Transfer
        </Button>
      </div>
    </form>
  );
}
