import { Refusal } from '~/account/Refusal';
import { client, type Schema } from '~/api/client';
import { moment } from '~/format/dates';
import { words } from '~/format/words';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Chip } from '~/ui/Chip';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { State } from '~/ui/State';
import { Table } from '~/ui/Table';
import { useAction } from './useAction';

type Configuration = Schema<'SyncConfiguration'>;

/** The folders of the drive that are copied into the data room. */
export function DriveFolders({ rows, editable }: { rows: Configuration[]; editable: boolean }) {
  const { id: organization } = useCompany();
  const address = (row: Configuration) => ({ path: { organization, configuration: row.id } });
  const run = useAction(
    (configurationId: string) =>
      client.POST('/organization/{organization}/cloud-drive/sync', {
        params: { path: { organization } },
        body: { configurationId },
      }),
    'Synchronization started',
  );
  const change = useAction(
    (row: Configuration) =>
      client.PATCH('/organization/{organization}/cloud-drive/sync-config/{configuration}', {
        params: address(row),
        body: { syncEnabled: !row.syncEnabled },
      }),
    'Folder changed',
  );
  const remove = useAction(
    (row: Configuration) =>
      client.DELETE('/organization/{organization}/cloud-drive/sync-config/{configuration}', { params: address(row) }),
    'Folder removed. Its documents stay',
  );
  if (rows.length === 0) return <p className="text-ink-3">No folder is copied yet.</p>;
  return (
    <>
      <Refusal problem={run.problem ?? change.problem ?? remove.problem} />
      <Table
        label="Copied folders"
        rows={rows}
        rowKey={(row) => row.id}
        columns={[
          { header: 'Folder', cell: (row) => row.driveFolderName },
          { header: 'Data room', cell: (row) => row.targetDataRoomPath },
          { header: 'Last run', cell: (row) => <span className="num">{moment(row.lastSyncAt)}</span> },
          {
            header: 'State',
            cell: (row) =>
              row.syncError ? (
                <Chip tone="bad">{words(row.syncError)}</Chip>
              ) : (
                <State of={row.syncEnabled ? 'on' : 'off'} />
              ),
          },
          ...(editable
            ? [
                {
                  header: 'Change',
                  cell: (row: Configuration) => (
                    <span className="flex gap-2">
                      <Button onClick={() => run.mutate(row.id)}>Run</Button>
                      <Button onClick={() => change.mutate(row)}>{row.syncEnabled ? 'Switch off' : 'Switch on'}</Button>
                      <ConfirmButton
                        label="Remove"
                        consequence="The folder is no longer synchronized. Its documents stay."
                        onConfirm={() => remove.mutate(row)}
                      />
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
    </>
  );
}
