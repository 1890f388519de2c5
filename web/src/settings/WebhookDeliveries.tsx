import { Refusal } from '~/account/Refusal';
import { api, client, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { moment } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Loaded } from '~/ui/Loaded';
import { Banner } from '~/ui/Notice';
import { State } from '~/ui/State';
import { Table } from '~/ui/Table';
import { Secret } from './Secret';
import { useAction } from './useAction';
import { WebhookReplay } from './WebhookReplay';

/** The deliveries of a webhook, which have no day, and the changes of it, which are off on a past day. */
export function WebhookDeliveries({ webhook }: { webhook: Schema<'Webhook'> }) {
  const { id: organization } = useCompany();
  const { past } = useDay();
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
      <fieldset disabled={past} className="flex flex-wrap gap-2">
        <Button onClick={() => test.mutate(undefined)}>Send a test</Button>
        <ConfirmButton
          label="Replace the secret"
          consequence="Receivers that check the present secret refuse deliveries until they know the new one."
          onConfirm={() => rotate.mutate(undefined)}
        />
        <Button onClick={() => switched.mutate(undefined)}>{webhook.active ? 'Switch off' : 'Switch on'}</Button>
        <ConfirmButton
          danger
          label="Delete"
          consequence="Its deliveries end, and its secret and history are removed."
          onConfirm={() => remove.mutate(undefined)}
        />
      </fieldset>
      <Refusal problem={test.problem ?? rotate.problem ?? switched.problem ?? remove.problem ?? replay.problem} />
      {test.data && (
        <Banner tone={test.data.status === 'delivered' ? 'good' : 'bad'}>
          {test.data.status === 'delivered' ? 'The test arrived.' : 'The test failed.'} Answer:{' '}
          {test.data.statusCode || 'none'}.
        </Banner>
      )}
      {rotate.data && <Secret label="New signing secret" value={rotate.data.secret} />}
      <fieldset disabled={past} className="min-w-0">
        <WebhookReplay webhook={webhook} />
      </fieldset>
      <Loaded what="The deliveries" query={deliveries}>
        {({ data }) => (
          <Table
            label="Deliveries"
            rows={data}
            rowKey={(row) => `${row.id} ${row.createdAt}`}
            columns={[
              { header: 'Event', cell: (row) => row.type },
              {
                header: 'Status',
                cell: (row) => <State of={row.status} />,
              },
              { header: 'Answer', figure: true, cell: (row) => row.statusCode || '–' },
              { header: 'Attempts', figure: true, cell: (row) => row.attempts },
              { header: 'Created', cell: (row) => <span className="num">{moment(row.createdAt)}</span> },
              {
                header: 'Repeat',
                cell: (row) => (
                  <Button disabled={past} onClick={() => replay.mutate(row.id)}>
                    Replay
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </div>
  );
}
