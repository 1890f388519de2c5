import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import { moment } from '~/format/dates';
import { faultAt } from '~/posting/body';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Banner } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import type { Item } from './api';

/** The shares of a document with outsiders, and the form of a new one. Its address is shown once. */
export function Shares({ item }: { item: Item }) {
  const { id: organization } = useCompany();
  const path = { organization, document: item.id };
  const queries = useQueryClient();
  const shares = api.useQuery('get', '/organization/{organization}/document/{document}/share', { params: { path } });
  const [email, setEmail] = useState('');
  const [download, setDownload] = useState(false);
  const refresh = () =>
    queries.invalidateQueries({ queryKey: ['get', '/organization/{organization}/document/{document}/share'] });
  const create = useMutation({
    mutationFn: async () =>
      (
        await client.POST('/organization/{organization}/document/{document}/share', {
          params: { path },
          body: { email, watermark: true, download },
        })
      ).data as Schema<'DocumentShare'>,
    onSuccess: refresh,
  });
  const revoke = useMutation({
    mutationFn: (share: string) =>
      client.DELETE('/organization/{organization}/document/{document}/share/{share}', {
        params: { path: { ...path, share } },
      }),
    onSuccess: refresh,
  });
  const problem = create.error ? problemOf(create.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const active = (shares.data?.data ?? []).filter((share) => !share.revokedAt);
  return (
    <section aria-label="Shares" className="mt-6">
      <h3 className="mb-2 font-medium">Shared with</h3>
      <Facts
        rows={active.map((share) => [
          share.email ?? '–',
          <span key={share.id} className="inline-flex items-center gap-3">
            until {moment(share.expiresAt)}
            <button type="button" className="text-neg hover:underline" onClick={() => revoke.mutate(share.id)}>
              End
            </button>
          </span>,
        ])}
      />
      <form onSubmit={submit} className="mt-3 flex flex-col gap-2">
        <Field
          label="E-mail of the reader"
          error={problem && (faultAt(problem.faults, 'email') ?? problem.message)}
          help="Valid for 14 days. The pages are stamped with the address of the reader."
        >
          {(parts) => (
            <Input {...parts} type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
          )}
        </Field>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={download}
            onChange={(event) => setDownload(event.target.checked)}
          />
          The reader may download it
        </label>
        <div>
          <Button type="submit" disabled={!email || create.isPending}>
            Share
          </Button>
        </div>
      </form>
      {create.data?.url && (
        <div className="mt-3">
          <Banner tone="good">
            Send this address to the reader. It is shown only now:{' '}
            <code className="num break-all">{create.data.url}</code>
          </Banner>
        </div>
      )}
    </section>
  );
}
