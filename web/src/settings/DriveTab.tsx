import { Refusal } from '~/account/Refusal';
import { api, client } from '~/api/client';
import { moment } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Failure } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import { Table } from '~/ui/Table';
import { useAction } from './useAction';

/** The connection to a cloud drive, with its runs. */
export function DriveTab() {
  const { id: organization } = useCompany();
  const path = { organization };
  const status = api.useQuery('get', '/organization/{organization}/cloud-drive/status', { params: { path } });
  const history = api.useQuery('get', '/organization/{organization}/cloud-drive/sync-history', { params: { path } });
  const connect = useAction(async () => {
    const { data } = await client.GET('/organization/{organization}/cloud-drive/auth-url', { params: { path } });
    location.assign((data as { url: string }).url);
  });
  const sync = useAction(
    () => client.POST('/organization/{organization}/cloud-drive/sync', { params: { path }, body: {} as never }),
    'Synchronized',
  );
  const end = useAction(
    () => client.DELETE('/organization/{organization}/cloud-drive/connection', { params: { path } }),
    'Drive disconnected',
  );
  if (status.isError) return <Failure what="The cloud drive" error={status.error} retry={status.refetch} />;
  const found = status.data;
  return (
    <div className="flex flex-col gap-4">
      <Facts
        rows={[
          ['Connected', found?.connected ? (found.email ?? 'Yes') : 'No'],
          ['Last synchronization', moment(found?.lastSyncAt)],
          found?.syncError ? (['Problem', found.syncError] as const) : undefined,
        ]}
      />
      <Refusal problem={connect.problem ?? sync.problem ?? end.problem} />
      <div className="flex gap-2">
        {(!found?.connected || found.syncError === 'reconnectNeeded') && (
          <Button look="primary" onClick={() => connect.mutate(undefined)}>
            Connect Google Drive
          </Button>
        )}
        {found?.connected && (
          <>
            <Button onClick={() => sync.mutate(undefined)}>Synchronize now</Button>
            <Button className="text-neg" onClick={() => end.mutate(undefined)}>
              Disconnect
            </Button>
          </>
        )}
      </div>
      <Table
        label="Runs"
        rows={((history.data as { data?: Record<string, unknown>[] } | undefined)?.data ?? []).map((row, index) => ({
          ...row,
          key: index.toString(),
        }))}
        rowKey={(row) => row.key}
        columns={[
          { header: 'Started', cell: (row: Record<string, unknown>) => moment(String(row.startedAt ?? '')) },
          { header: 'State', cell: (row: Record<string, unknown>) => String(row.status ?? '') },
        ]}
      />
    </div>
  );
}
