import { Refusal } from '~/account/Refusal';
import { api, client } from '~/api/client';
import { moment } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Chip } from '~/ui/Chip';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Loaded } from '~/ui/Loaded';
import { Table } from '~/ui/Table';
import { useAction } from './useAction';

const tones = { off: 'neutral', ok: 'good', retrying: 'warn', failed: 'bad' } as const;

/** The states of the integrations. A failed one can be retried, or its event skipped. */
export function IntegrationsTab() {
  const { id: organization } = useCompany();
  const integrations = api.useQuery(
    'get',
    '/organization/{organization}/integration',
    { params: { path: { organization } } },
    { refetchInterval: 5_000 },
  );
  const retry = useAction(
    (integration: string) =>
      client.POST('/organization/{organization}/integration/{integration}/retry', {
        params: { path: { organization, integration } },
      }),
    'Retried',
  );
  const skip = useAction(
    ({ integration, sequence }: { integration: string; sequence: number }) =>
      client.POST('/organization/{organization}/integration/{integration}/skip', {
        params: { path: { organization, integration } },
        body: { sequence },
      }),
    'Event skipped',
  );
  return (
    <>
      <Refusal problem={retry.problem ?? skip.problem} />
      <Loaded what="The integrations" query={integrations}>
        {({ data }) => (
          <Table
            label="Integrations"
            rows={data}
            rowKey={(row) => row.id}
            columns={[
              { header: 'Integration', cell: (row) => row.name },
              { header: 'State', cell: (row) => <Chip tone={tones[row.state]}>{row.state}</Chip> },
              { header: 'Behind', figure: true, cell: (row) => row.behind },
              { header: 'Last success', cell: (row) => <span className="num">{moment(row.lastSuccessAt)}</span> },
              { header: 'Problem', cell: (row) => row.lastError ?? '–' },
              {
                header: 'Change',
                cell: (row) =>
                  row.state !== 'ok' &&
                  row.state !== 'off' && (
                    <span className="flex gap-2">
                      <Button onClick={() => retry.mutate(row.id)}>Retry</Button>
                      {row.state === 'failed' && row.event !== undefined && (
                        <ConfirmButton
                          danger
                          label="Skip"
                          consequence={`${row.name} never receives entry ${row.event}. This cannot be reversed.`}
                          onConfirm={() => skip.mutate({ integration: row.id, sequence: row.event as number })}
                        />
                      )}
                    </span>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
