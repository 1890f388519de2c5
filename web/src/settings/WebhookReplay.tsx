import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { client, type Schema } from '~/api/client';
import { count } from '~/decimal/count';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { useAction } from './useAction';

/** Sends the events of a webhook again, from an entry of the journal on. */
export function WebhookReplay({ webhook }: { webhook: Schema<'Webhook'> }) {
  const { id: organization } = useCompany();
  const [from, setFrom] = useState('');
  const fromSequence = count(from.trim());
  const replay = useAction(
    (sequence: number) =>
      client.POST('/organization/{organization}/webhook/{webhook}/replay', {
        params: { path: { organization, webhook: webhook.id } },
        body: { fromSequence: sequence },
      }),
    'Events are sent again',
  );
  if (!webhook.active) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fromSequence) replay.mutate(fromSequence, { onSuccess: () => setFrom('') });
  };
  return (
    <form onSubmit={submit} aria-label="Repetition of events" className="flex max-w-md items-end gap-2">
      <TextField
        label="Send again from journal entry"
        name="fromSequence"
        inputMode="numeric"
        problem={replay.problem}
        value={from}
        onChange={setFrom}
      />
      <Button type="submit" disabled={!fromSequence || replay.isPending}>
        Send again
      </Button>
      <Refusal problem={replay.problem} />
    </form>
  );
}
