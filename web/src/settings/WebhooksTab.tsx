import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client, type Schema } from '~/api/client';
import { moment } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Chip } from '~/ui/Chip';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Banner, Failure } from '~/ui/Notice';
import { Table } from '~/ui/Table';
import { Secret } from './Secret';
import { useAction } from './useAction';

type Webhook = Schema<'Webhook'>;

/** The webhooks of the company with their deliveries. */
export function WebhooksTab() {
  const { id: organization } = useCompany();
  const webhooks = api.useQuery('get', '/organization/{organization}/webhook', { params: { path: { organization } } });
  const [url, setUrl] = useState('');
  const [open, setOpen] = useState<string>();
  const create = useAction(
    async () =>
      (await client.POST('/organization/{organization}/webhook', { params: { path: { organization } }, body: { url } }))
        .data as Schema<'WebhookWithSecret'>,
    'Webhook created',
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: () => setUrl('') });
  };
  if (webhooks.isError) return <Failure what="The webhooks" error={webhooks.error} retry={webhooks.refetch} />;
  return (
    <div className="flex flex-col gap-4">
      {create.data && <Secret label="Signing secret" value={create.data.secret} />}
      <ul className="border-t border-line">
        {(webhooks.data?.data ?? []).map((webhook) => (
          <li key={webhook.id} className="border-b border-line py-2">
            <div className="flex flex-wrap items-center gap-2">
              <span className="num mr-auto min-w-0 truncate font-medium">{webhook.url}</span>
              <Chip tone={webhook.active ? 'good' : 'warn'}>
                {webhook.active ? 'Active' : (webhook.disabledReason ?? 'Off')}
              </Chip>
              <Button
                aria-expanded={open === webhook.id}
                onClick={() => setOpen(open === webhook.id ? undefined : webhook.id)}
              >
                Deliveries
              </Button>
            </div>
            {open === webhook.id && <Deliveries webhook={webhook} />}
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className="flex max-w-md flex-col gap-3">
        <TextField
          label="Address of a new webhook"
          name="url"
          type="url"
          problem={create.problem}
          value={url}
          onChange={setUrl}
        />
        <Refusal problem={create.problem} />
        <div>
          <Button type="submit" disabled={!url}>
            Create the webhook
          </Button>
        </div>
      </form>
    </div>
  );
}

/** The deliveries of a webhook, and the changes of it. */
function Deliveries({ webhook }: { webhook: Webhook }) {
  const { id: organization } = useCompany();
  const path = { organization, webhook: webhook.id };
  const deliveries = api.useQuery(
    'get',
    '/organization/{organization}/webhook/{webhook}/delivery',
    { params: { path } },
    { refetchInterval: 2_000 },
  );
  const test = useAction(
    async () =>
      (await client.POST('/organization/{organization}/webhook/{webhook}/test', { params: { path } }))
        .data as Schema<'WebhookDelivery'>,
  );
  const rotate = useAction(
    async () =>
      (await client.POST('/organization/{organization}/webhook/{webhook}/secret', { params: { path } }))
        .data as Schema<'WebhookWithSecret'>,
    'Secret replaced',
  );
  const switched = useAction(() =>
    client.PATCH('/organization/{organization}/webhook/{webhook}', {
      params: { path },
      body: { active: !webhook.active },
    }),
  );
  const remove = useAction(
    () => client.DELETE('/organization/{organization}/webhook/{webhook}', { params: { path } }),
    'Webhook deleted',
  );
  const replay = useAction(
    (delivery: string) =>
      client.POST('/organization/{organization}/webhook/{webhook}/delivery/{delivery}/replay', {
        params: { path: { ...path, delivery } },
      }),
    'Delivery repeated',
  );
  return (
    <div className="mt-2 flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => test.mutate(undefined)}>Send a test</Button>
        <Button onClick={() => rotate.mutate(undefined)}>Replace the secret</Button>
        <Button onClick={() => switched.mutate(undefined)}>{webhook.active ? 'Switch off' : 'Switch on'}</Button>
        <ConfirmButton
          danger
          label="Delete"
          consequence="Its deliveries end, and its secret and history are removed."
          onConfirm={() => remove.mutate(undefined)}
        />
      </div>
      <Refusal problem={test.problem ?? rotate.problem ?? switched.problem ?? remove.problem ?? replay.problem} />
      {test.data && (
        <Banner tone={test.data.status === 'delivered' ? 'good' : 'bad'}>
          {test.data.status === 'delivered' ? 'The test arrived.' : 'The test failed.'} Answer:{' '}
          {test.data.statusCode || 'none'}.
        </Banner>
      )}
      {rotate.data && <Secret label="New signing secret" value={rotate.data.secret} />}
      <Table
        label="Deliveries"
        rows={deliveries.data?.data ?? []}
        rowKey={(row) => `${row.id} ${row.createdAt}`}
        columns={[
          { header: 'Event', cell: (row) => row.type },
          {
            header: 'Status',
            cell: (row) => (
              <Chip tone={row.status === 'delivered' ? 'good' : row.status === 'failed' ? 'bad' : 'warn'}>
                {row.status}
              </Chip>
            ),
          },
          { header: 'Answer', figure: true, cell: (row) => row.statusCode || '–' },
          { header: 'Attempts', figure: true, cell: (row) => row.attempts },
          { header: 'Created', cell: (row) => <span className="num">{moment(row.createdAt)}</span> },
          { header: 'Repeat', cell: (row) => <Button onClick={() => replay.mutate(row.id)}>Replay</Button> },
        ]}
      />
    </div>
  );
}
