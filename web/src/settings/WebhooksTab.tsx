import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client, type Schema } from '~/api/client';
import { useDay } from '~/day/day';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Chip } from '~/ui/Chip';
import { Loaded } from '~/ui/Loaded';
import { Part } from '~/ui/Part';
import { State } from '~/ui/State';
import { Unsaved } from '~/ui/Unsaved';
import { Secret } from './Secret';
import { useAction } from './useAction';
import { WebhookDeliveries } from './WebhookDeliveries';
import { WebhookRights } from './WebhookRights';

/** The webhooks of the company with their deliveries. */
export function WebhooksTab() {
  const { id: organization } = useCompany();
  const webhooks = api.useQuery('get', '/organization/{organization}/webhook', { params: { path: { organization } } });
  const { past } = useDay();
  const [url, setUrl] = useState('');
  const [open, setOpen] = useState<string>();
  const create = useAction(
    async () =>
      (await client.POST('/organization/{organization}/webhook', { params: { path: { organization } }, body: { url } }))
        .data as Schema<'WebhookWithSecret'>,
    'Webhook created',
  );
  // Each change takes the webhook over. This one changes nothing else.
  const takeOver = useAction(
    ({ id: webhook, description }: Schema<'Webhook'>) =>
      client.PATCH('/organization/{organization}/webhook/{webhook}', {
        params: { path: { organization, webhook } },
        body: { description },
      }),
    'Webhook taken over',
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined, { onSuccess: () => setUrl('') });
  };
  return (
    <>
      {create.data && (
        <div className="mb-6">
          <Secret label="Signing secret" value={create.data.secret} />
        </div>
      )}
      <Part wide title="Webhooks" help="Each change of the company is sent, with a signature, to these addresses.">
        <Refusal problem={takeOver.problem} />
        <Loaded what="The webhooks" query={webhooks}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="text-ink-3">No webhooks yet.</p>
            ) : (
              <ul className="border-t border-line">
                {data.map((webhook) => (
                  <li key={webhook.id} className="border-b border-line py-2">
                    <div className="flex flex-wrap items-center gap-2">
                      <span className="num mr-auto min-w-0 truncate font-medium">{webhook.url}</span>
                      {!webhook.active && webhook.disabledReason ? (
                        <Chip tone="warn">{webhook.disabledReason}</Chip>
                      ) : (
                        <State of={webhook.active ? 'active' : 'off'} />
                      )}
                      <Button
                        aria-expanded={open === webhook.id}
                        onClick={() => setOpen(open === webhook.id ? undefined : webhook.id)}
                      >
                        Deliveries
                      </Button>
                    </div>
                    <WebhookRights webhook={webhook} disabled={past} onTakeOver={() => takeOver.mutate(webhook)} />
                    {open === webhook.id && <WebhookDeliveries webhook={webhook} />}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Part>
      <Part title="New webhook" help="The secret of its signatures is shown once.">
        <form onSubmit={submit}>
          <Unsaved changed={() => url !== ''} />
          <fieldset disabled={past} className="flex max-w-md flex-col gap-3">
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
          </fieldset>
        </form>
      </Part>
    </>
  );
}
