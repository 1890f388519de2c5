import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useDay } from '~/day/day';
import { moment } from '~/format/dates';
import { size } from '~/format/figures';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Drawer } from '~/ui/Drawer';
import { Banner } from '~/ui/Notice';
import { type NotificationAction, notify } from '~/ui/notify';
import { Facts } from '~/ui/Page';
import { Access } from './Access';
import { contentOf, documentsKey, type Item } from './api';
import { FolderPicker } from './FolderPicker';
import { NameForm } from './NameForm';
import { Preview } from './Preview';
import { Readers } from './Readers';
import { Shares } from './Shares';
import { SuitePreview } from './SuitePreview';
import { Versions } from './Versions';

type Props = { item: Item; onClose: () => void };

/** A document or a folder with its content, versions, readers, access and shares, and the changes of editors. */
export function ItemDrawer({ item, onClose }: Props) {
  const company = useCompany();
  const change = useChanges(item, onClose);
  const [moving, setMoving] = useState(false);
  const file = item.type === 'file' && !item.deletedAt;
  const { past } = useDay();
  const editor = company.can('editDocuments') && !item.deletedAt && !past;
  const mayDownload = item.access.download || company.can('editDocuments');
  return (
    <Drawer
      open
      onClose={onClose}
      title={item.name}
      subtitle={item.type === 'folder' ? 'Folder' : item.mediaType}
      footer={
        <div className="flex flex-wrap gap-2">
          {file && mayDownload && (
            <a href={contentOf(company.id, item)} className="btn btn-outline" download={item.name}>
              Download
            </a>
          )}
          {editor && <Button onClick={() => setMoving(!moving)}>Move</Button>}
          {editor && company.can('deleteDocuments') && (
            <Button className="text-neg" onClick={() => change.remove.mutate()}>
              Delete
            </Button>
          )}
          {item.deletedAt && !past && company.can('deleteDocuments') && (
            <Button onClick={() => change.restore.mutate()}>Restore</Button>
          )}
        </div>
      }
    >
      {change.refused && <Banner tone="bad">{problemOf(change.refused).message} No data was changed.</Banner>}
      {moving && (
        <FolderPicker
          item={item}
          moving={change.move.isPending}
          onMove={(parentFolder) => change.move.mutate({ parentFolder })}
        />
      )}
      <Facts
        rows={[
          item.size !== undefined && (['Size', size(item.size)] as const),
          ['Changed', moment(item.updatedAt)],
          item.deletedAt !== undefined && (['Deleted', moment(item.deletedAt)] as const),
          item.scan !== undefined && item.scan !== 'none' && (['Virus scan', item.scan] as const),
          item.sha256 !== undefined &&
            ([
              'SHA-256',
              <code key="hash" className="text-xs break-all">
                {item.sha256}
              </code>,
            ] as const),
        ]}
      />
      {file && company.storage === 'officeSuite' && !past && <SuitePreview item={item} />}
      {file && <Preview item={item} />}
      {editor && (
        <div className="mt-6">
          <NameForm
            label="Name"
            initial={item.name}
            action="Rename"
            onSubmit={(name) => change.move.mutate({ name })}
          />
        </div>
      )}
      {file && <Versions item={item} />}
      {file && editor && <Readers item={item} />}
      {editor && <Access key={item.version} item={item} />}
      {file && editor && <Shares item={item} />}
    </Drawer>
  );
}

/** The changes of an item. After a change the drawer closes and the lists are read again. */
function useChanges(item: Item, onClose: () => void) {
  const company = useCompany();
  const organization = company.id;
  const queries = useQueryClient();
  const params = { path: { organization, document: item.id } };
  const done = (title: string, action?: NotificationAction) => () => {
    notify({ title, action });
    onClose();
    queries.invalidateQueries({ queryKey: documentsKey });
  };
  const move = useMutation({
    mutationFn: (body: { name?: string; parentFolder?: string | null }) =>
      client.POST('/organization/{organization}/document/{document}/move', { params, body: body }),
    onSuccess: done(`${item.name} moved`),
  });
  const send = () => client.POST('/organization/{organization}/document/{document}/restore', { params });
  const restore = useMutation({ mutationFn: send, onSuccess: done(`${item.name} restored`) });
  const restoreAtOnce = async () => {
    try {
      await send();
      notify({ title: `${item.name} restored` });
    } catch (thrown) {
      notify({ title: `${item.name} was not restored`, description: problemOf(thrown).message, bad: true });
    }
    queries.invalidateQueries({ queryKey: documentsKey });
  };
  const undo = company.storage === 'officeSuite' ? undefined : { label: 'Restore', run: restoreAtOnce };
  const remove = useMutation({
    mutationFn: () => client.DELETE('/organization/{organization}/document/{document}', { params }),
    onSuccess: done(`${item.name} is in the trash`, undo),
  });
  return { move, remove, restore, refused: move.error ?? remove.error ?? restore.error };
}
