import { Refusal } from '~/account/Refusal';
import { api, client, type Schema } from '~/api/client';
import { moment } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { ConfirmButton } from '~/ui/ConfirmButton';
import { Loaded } from '~/ui/Loaded';
import { Facts, Section } from '~/ui/Page';
import { State } from '~/ui/State';
import { Table } from '~/ui/Table';
import { DriveFolderForm } from './DriveFolderForm';
import { DriveFolders } from './DriveFolders';
import { permitDrive } from './driveConnection';
import { useAction } from './useAction';

/** The connection to a cloud drive, with its folders and runs. */
export function DriveTab() {
  const { id: organization } = useCompany();
  const status = api.useQuery('get', '/organization/{organization}/cloud-drive/status', {
    params: { path: { organization } },
  });
  return (
    <Loaded what="The cloud drive" query={status} height="h-40">
      {(found) => <Drive status={found} />}
    </Loaded>
  );
}

function Drive({ status }: { status: Schema<'DriveStatus'> }) {
  const company = useCompany();
  const organization = company.id;
  const editable = company.can('editDocuments');
  const path = { organization };
  const history = api.useQuery('get', '/organization/{organization}/cloud-drive/sync-history', { params: { path } });
  const connect = useAction(() => permitDrive(organization));
  const sync = useAction(
    () => client.POST('/organization/{organization}/cloud-drive/sync', { params: { path }, body: {} }),
    'Synchronized',
  );
  const end = useAction(
    () => client.DELETE('/organization/{organization}/cloud-drive/connection', { params: { path } }),
    'Drive disconnected',
  );
  return (
    <div className="flex flex-col gap-4">
      <Facts
        rows={[
          ['Connected', status.connected ? (status.email ?? 'Yes') : 'No'],
          ['Last synchronization', moment(status.lastSyncAt)],
          status.syncError ? (['Problem', status.syncError] as const) : undefined,
        ]}
      />
      <Refusal problem={connect.problem ?? sync.problem ?? end.problem} />
      {editable && (
        <div className="flex gap-2">
          {(!status.connected || status.syncError === 'reconnectNeeded') && (
            <Button look="primary" onClick={() => connect.mutate(undefined)}>
              Connect Google Drive
            </Button>
          )}
          {status.connected && (
            <>
              <Button onClick={() => sync.mutate(undefined)}>Synchronize now</Button>
              <ConfirmButton
                label="Disconnect"
                consequence="The tokens are revoked. Copied documents stay."
                onConfirm={() => end.mutate(undefined)}
              />
            </>
          )}
        </div>
      )}
      {status.connected && (
        <>
          <Section title="Copied folders">
            <DriveFolders rows={status.syncConfigurations ?? []} editable={editable} />
          </Section>
          {editable && status.syncError !== 'reconnectNeeded' && (
            <Section title="Copy a folder">
              <DriveFolderForm />
            </Section>
          )}
        </>
      )}
      <Section title="Runs">
        <Loaded what="The runs" query={history}>
          {({ history: rows }) => (
            <Table
              label="Runs"
              rows={rows}
              rowKey={(row) => row.id}
              columns={[
                { header: 'Requested', cell: (row) => <span className="num">{moment(row.triggeredAt)}</span> },
                { header: 'State', cell: (row) => <State of={row.status} /> },
                { header: 'Added', figure: true, cell: (row) => row.filesAdded },
                { header: 'Updated', figure: true, cell: (row) => row.filesUpdated },
                { header: 'Failed', figure: true, cell: (row) => row.filesFailed },
                { header: 'Problem', cell: (row) => row.errorMessage ?? '–' },
              ]}
            />
          )}
        </Loaded>
      </Section>
    </div>
  );
}
