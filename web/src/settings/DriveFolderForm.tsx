import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { api, client, type Schema } from '~/api/client';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Failure } from '~/ui/Notice';
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
  const create = useAction(
    (folder: Folder) =>
      client.POST('/organization/{organization}/cloud-drive/sync-config', {
        params: { path: { organization } },
        body: {
          driveFolderId: folder.id,
          driveFolderName: folder.name,
          targetDataRoomPath: target,
          syncSubfolders: true,
          fileTypeFilter: types,
        },
      }),
    'Folder added',
  );
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
      <nav aria-label="Folder" className="flex flex-wrap items-center gap-1">
        <Button look="ghost" onClick={() => open([])}>
          Drive
        </Button>
        {trail.map((folder, index) => (
          <Button key={folder.id} look="ghost" onClick={() => open(trail.slice(0, index + 1))}>
            {folder.name}
          </Button>
        ))}
      </nav>
      <ul className="border-t border-line">
        {(found?.data ?? []).map((folder) => (
          <li key={folder.id} className="border-b border-line">
            <Button look="ghost" className="w-full" onClick={() => open([...trail, folder])}>
              {folder.name}
            </Button>
          </li>
        ))}
      </ul>
      {found?.data.length === 0 && <p className="text-ink-3">No folders here.</p>}
      {found?.nextCursor && <Button onClick={() => setCursor(found.nextCursor)}>More folders</Button>}
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
