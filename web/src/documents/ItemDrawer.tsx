import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '~/api/client';
import { problemOf } from '~/api/problem';
import { moment } from '~/format/dates';
import { size } from '~/format/figures';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Drawer } from '~/ui/Drawer';
import { Banner } from '~/ui/Notice';
import { Facts } from '~/ui/Page';
import { Select } from '~/ui/Select';
import { notify } from '~/ui/Toasts';
import { Access } from './Access';
import { contentOf, type Item, useFolder } from './api';
import { History } from './History';
import { NameForm } from './NameForm';
import { Preview } from './Preview';
import { Shares } from './Shares';

type Props = { item: Item; onClose: () => void };

/** A document or a folder with its content, versions, access and shares, and the changes of editors. */
export function ItemDrawer({ item, onClose }: Props) {
  const company = useCompany();
  const queries = useQueryClient();
  const root = useFolder(company.id, undefined, false);
  const path = { organization: company.id, document: item.id };
  const editor = company.can('editDocuments') && !item.deletedAt;
  const refresh = (title: string) => () => {
    notify({ title });
    onClose();
    queries.invalidateQueries({ queryKey: ['get', '/organization/{organization}/document'] });
  };
  const move = useMutation({
    mutationFn: (body: { name?: string; parentFolder?: string | null }) =>
      client.POST('/organization/{organization}/document/{document}/move', { params: { path }, body: body as never }),
    onSuccess: refresh(`${item.name} moved`),
  });
  const remove = useMutation({
    mutationFn: () => client.DELETE('/organization/{organization}/document/{document}', { params: { path } }),
    onSuccess: refresh(`${item.name} is in the trash`),
  });
  const restore = useMutation({
    mutationFn: () => client.POST('/organization/{organization}/document/{document}/restore', { params: { path } }),
    onSuccess: refresh(`${item.name} restored`),
  });
  const refused = move.error ?? remove.error ?? restore.error;
  const folders = [
    { value: 'root', label: 'Data room' },
    ...(root.data ?? [])
      .filter((one) => one.type === 'folder' && one.id !== item.id)
      .map((one) => ({ value: one.id, label: one.name })),
  ];
  return (
    <Drawer
      open
      onClose={onClose}
      title={item.name}
      subtitle={item.type === 'folder' ? 'Folder' : item.mediaType}
      footer={
        <div className="flex flex-wrap gap-2">
          {item.type === 'file' && !item.deletedAt && (
            <a href={contentOf(company.id, item, false)} className="btn btn-outline" download={item.name}>
              Download
            </a>
          )}
          {editor && company.can('deleteDocuments') && (
            <Button className="text-neg" onClick={() => remove.mutate()}>
              Delete
            </Button>
          )}
          {item.deletedAt && company.can('deleteDocuments') && (
            <Button onClick={() => restore.mutate()}>Restore</Button>
          )}
        </div>
      }
    >
      {refused && <Banner tone="bad">{problemOf(refused).message}</Banner>}
      <Facts
        rows={[
          item.size !== undefined && (['Size', size(item.size)] as const),
          ['Changed', moment(item.updatedAt)],
          item.scan !== undefined && item.scan !== 'none' && (['Virus scan', item.scan] as const),
          item.sha256 !== undefined &&
            ([
              'SHA-256',
              <code key="hash" className="text-xs">
                {item.sha256}
              </code>,
            ] as const),
        ]}
      />
      {item.type === 'file' && !item.deletedAt && <Preview item={item} />}
      {editor && (
        <div className="mt-6 flex flex-col gap-3">
          <NameForm label="Name" initial={item.name} action="Rename" onSubmit={(name) => move.mutate({ name })} />
          <Select
            label="Move to a folder"
            placeholder="Move to a folder"
            choices={folders}
            value={undefined}
            onChange={(folder) => folder && move.mutate({ parentFolder: folder === 'root' ? null : folder })}
          />
        </div>
      )}
      {item.type === 'file' && !item.deletedAt && <History item={item} />}
      {editor && <Access key={item.version} item={item} />}
      {editor && item.type === 'file' && <Shares item={item} />}
    </Drawer>
  );
}
