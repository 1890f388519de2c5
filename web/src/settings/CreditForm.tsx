import { type FormEvent, useRef, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { client } from '~/api/client';
import { faultAt } from '~/posting/body';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Select } from '~/ui/Select';
import { useAction } from './useAction';

const somebodyElse = 'other';

/** Returns the JSON of a transfer, whose amount is a number of the same digits. */
const transferBody = (body: { amount: string }): string => {
  const { amount, ...parties } = body;
  return JSON.stringify(parties).replace(/\}$/, `,"amount":${amount}}`);
};

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
    () =>
      client.POST('/credit/transfer', {
        params: { header: { 'Idempotency-Key': key.current } },
        body: { fromEntity: from, toEntity: recipient, amount: amount as unknown as number },
        bodySerializer: (body) => transferBody(body as unknown as { amount: string }),
      }),
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
          label="Entity of the recipient"
          help="The recipient finds it on this page."
          name="toEntity"
          problem={transfer.problem}
          value={entity}
          onChange={change(setEntity)}
        />
      )}
      <TextField
        label="Amount"
        name="amount"
        inputMode="decimal"
        problem={transfer.problem}
        value={amount}
        onChange={change(setAmount)}
      />
      <Refusal problem={transfer.problem} />
      <div>
        <Button type="submit" disabled={!valid || transfer.isPending}>
          Transfer
        </Button>
      </div>
    </form>
  );
}
