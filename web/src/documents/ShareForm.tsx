import { useMutation } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { addDays, today } from '~/format/dates';
import { faultAt } from '~/posting/body';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { copy } from '~/ui/copy';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Banner } from '~/ui/Notice';
import { Unsaved } from '~/ui/Unsaved';
import type { Item } from './api';

const usualDays = 14;
const mostDays = 89; // the contract permits 90 days from now

/** The form of a share with an outsider. The address of the share is shown once. */
export function ShareForm({ item, onShared }: { item: Item; onShared: () => void }) {
  const { id: organization } = useCompany();
  const [email, setEmail] = useState('');
  const [end, setEnd] = useState(addDays(today(), usualDays));
  const [download, setDownload] = useState(false);
  const [watermark, setWatermark] = useState(true);
  const create = useMutation({
    mutationFn: async () => {
      const { data } = await client.POST('/organization/{organization}/document/{document}/share', {
        params: { path: { organization, document: item.id } },
        body: { email, watermark, download, expiresAt: `${end}T23:59:59Z` },
      });
      return data as Schema<'DocumentShare'>;
    },
    onSuccess: () => {
      setEmail('');
      onShared();
    },
  });
  const problem = create.error ? problemOf(create.error) : undefined;
  const known = problem && (faultAt(problem.faults, 'email') ?? faultAt(problem.faults, 'expiresAt'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const url = create.data?.url;
  return (
    <>
      <form onSubmit={submit} className="mt-3 flex flex-col gap-2">
        <Unsaved changed={() => email !== ''} parts={['open']} />
        <div className="grid grid-cols-[1fr_150px] gap-3">
          <Field label="E-mail of the reader" error={problem && faultAt(problem.faults, 'email')}>
            {(parts) => (
              <Input {...parts} type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
            )}
          </Field>
          <Field label="Valid until" error={problem && faultAt(problem.faults, 'expiresAt')}>
            {(parts) => (
              <Input
                {...parts}
                type="date"
                min={today()}
                max={addDays(today(), mostDays)}
                value={end}
                onChange={(event) => setEnd(event.target.value)}
              />
            )}
          </Field>
        </div>
        <p className="text-xs text-ink-3">The page mails a code to this address, so a forwarded link opens nothing.</p>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={watermark}
            onChange={(event) => setWatermark(event.target.checked)}
          />
          Pages are stamped with the reader
        </label>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={download}
            onChange={(event) => setDownload(event.target.checked)}
          />
          The reader may download it
        </label>
        {problem && !known && <Banner tone="bad">{problem.message} Nothing was shared.</Banner>}
        <div>
          <Button type="submit" disabled={!email || !end || create.isPending}>
            Share
          </Button>
        </div>
      </form>
      {url && (
        <div className="mt-3">
          <Banner tone="good">
            Send this address to the reader. It is shown only now:
            <span className="mt-1 flex items-center gap-1">
              <code className="num min-w-0 flex-1 break-all">{url}</code>
              <IconButton label="Copy the address" onClick={() => copy(url, 'Address copied')}>
                <Copy size={14} aria-hidden />
              </IconButton>
            </span>
          </Banner>
        </div>
      )}
    </>
  );
}
