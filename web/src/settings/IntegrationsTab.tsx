import { Refusal } from '~/account/Refusal';
import { api, client, type Schema } from '~/api/client';
import { moment } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Loaded } from '~/ui/Loaded';
import { Part } from '~/ui/Part';
import { State } from '~/ui/State';
import { Table, type TableColumn } from '~/ui/Table';
import { useAction } from './useAction';

const names: Record<string, string> = { mail: 'E-mail', billing: 'Billing', chat: 'Team chat', drive: 'Cloud drive' };

type Integration = Schema<'Integration'>;

const stopped = ({ state }: Integration) => state === 'retrying' || state === 'failed';

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
  const changes: TableColumn<Integration> = {
    header: 'Change',
    cell: (row) =>
      stopped(row) && (
        <span className="flex gap-2">
          <Button onClick={() => retry.mutate(row.id)}>Retry</Button>
          {row.state === 'failed' && row.event !== undefined && (
            <ConfirmButton
              danger
              label="Skip"
              consequence={`${names[row.name] ?? row.name} never receives entry ${row.event}. This cannot be reversed.`}
              onConfirm={() => skip.mutate({ integration: row.id, sequence: row.event as number })}
            />
          )}
        </span>
      ),
  };
  return (
    <Part
      wide
      title="Integrations"
      help="Other services receive each change of the company in its order. A failed one can be retried, or its entry skipped."
    >
      <Refusal problem={retry.problem ?? skip.problem} />
      <Loaded what="The integrations" query={integrations}>
        {({ data }) => (
          <Table
            label="Integrations"
            rows={data}
            rowKey={(row) => row.id}
            columns={[
              { header: 'Integration', cell: (row) => names[row.name] ?? row.name },
              { header: 'State', cell: (row) => <State of={row.state} /> },
              { header: 'Behind', figure: true, cell: (row) => row.behind },
              { header: 'Last success', cell: (row) => <span className="num">{moment(row.lastSuccessAt)}</span> },
              { header: 'Problem', cell: (row) => row.lastError ?? '–' },
              ...(data.some(stopped) ? [changes] : []),
            ]}
          />
        )}
      </Loaded>
    </Part>
  );
}
