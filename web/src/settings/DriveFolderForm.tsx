import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client, type Schema } from '~/api/client';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { FolderList } from '~/ui/FolderList';
import { Failure } from '~/ui/Notice';
import { Unsaved } from '~/ui/Unsaved';
import { useAction } from './useAction';

type Folder = Schema<'DriveFolder'>;

/** The choice of a folder of the drive, and its place in the data room. */
export function DriveFolderForm() {
  const { id: organization } = useCompany();
  const [trail, setTrail] = useState<Folder[]>([]);
  const [cursor, setCursor] = useState<string>();
  const [target, setTarget] = useState('');
  const [types, setTypes] = useState('');
  const parent = trail.at(-1);
  const folders = api.useQuery('get', '/organization/{organization}/cloud-drive/folders', {
    params: { path: { organization }, query: { ...(parent && { parentId: parent.id }), ...(cursor && { cursor }) } },
  });
  const params = { path: { organization } };
  const create = useAction(async (folder: Folder) => {
    const { data } = await client.POST('/organization/{organization}/cloud-drive/sync-config', {
      params,
      body: {
        driveFolderId: folder.id,
        driveFolderName: folder.name,
        targetDataRoomPath: target,
        syncSubfolders: true,
        fileTypeFilter: types,
      },
    });
    const { configurationId } = data as Schema<'SyncConfigured'>;
    // The folder is also copied by the schedule if this request fails.
    await client
      .POST('/organization/{organization}/cloud-drive/sync', { params, body: { configurationId } })
      .catch(() => undefined);
  }, 'Folder added');
  const open = (next: Folder[]) => {
    const folder = next.at(-1);
    setTrail(next);
    setCursor(undefined);
    setTarget(folder ? `/Drive/${folder.name}` : '');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (parent) create.mutate(parent, { onSuccess: () => open([]) });
  };
  if (folders.isError) return <Failure what="The folders" error={folders.error} retry={folders.refetch} />;
  const found = folders.data;
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-3">
      <Unsaved changed={() => target !== '' || types !== ''} />
      <FolderList
        label="Folder of the drive"
        name={parent?.name ?? 'Drive'}
        folders={found?.data}
        onOpen={(id) => {
          const folder = found?.data.find((one) => one.id === id);
          if (folder) open([...trail, folder]);
        }}
        onAbove={parent && (() => open(trail.slice(0, -1)))}
        more={found?.nextCursor && <Button onClick={() => setCursor(found.nextCursor)}>More folders</Button>}
      />
      {parent && (
        <>
          <TextField
            label="Folder in the data room"
            name="targetDataRoomPath"
            problem={create.problem}
            value={target}
            onChange={setTarget}
          />
          <TextField
            label="File types"
            name="fileTypeFilter"
            help="Such as pdf,docx. Empty for all files."
            optional
            problem={create.problem}
            value={types}
            onChange={setTypes}
          />
          <Refusal problem={create.problem} />
          <div>
            <Button type="submit" look="primary" disabled={!target || create.isPending}>
              Copy {parent.name}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
