import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ChevronLeft, FolderPlus, Trash2, Upload } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { client } from '~/api/client';
import { problemOf } from '~/api/problem';
import { useDay } from '~/day/day';
import { documentsKey, type Item, useFolder, useTrail } from '~/documents/api';
import { Breadcrumbs } from '~/documents/Breadcrumbs';
import { columnsOf } from '~/documents/columns';
import { ItemDrawer } from '~/documents/ItemDrawer';
import { NameForm } from '~/documents/NameForm';
import { Uploads } from '~/documents/Uploads';
import { useUploads } from '~/documents/useUploads';
import { Register } from '~/register/Register';
import { listOf, useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Empty, Failure } from '~/ui/Notice';
import { Page } from '~/ui/Page';

export const Route = createFileRoute('/_user/company/$organization/documents')({
  component: DocumentsPage,
  staticData: { undated: 'asOf' },
});

/** The data room: folders in the URL, uploads by drag or button, the trash. */
function DocumentsPage() {
  const company = useCompany();
  const [address, setAddress] = useAddress();
  const trash = address.view === 'trash';
  const path = listOf(address.folder);
  const folder = path.at(-1);
  const list = useFolder(company.id, folder, trash);
  const trail = useTrail(company.id, path);
  const uploads = useUploads(company.id);
  const [naming, setNaming] = useState(false);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { past } = useDay();
  const editor = company.can('editDocuments') && !trash && !past;
  const rows = list.data ?? [];
  const opened = rows.find((row) => row.id === address.open);
  const columns = useMemo(() => columnsOf((row) => setAddress({ open: row.id }, true)), [setAddress]);
  const enter = (folders: string[]) =>
    setAddress({ folder: folders.join(',') || undefined, q: undefined, open: undefined }, true);
  const open = (row: Item) =>
    row.type === 'folder' && !trash ? enter([...path, row.id]) : setAddress({ open: row.id }, true);
  if (list.isError) return <Failure what="The data room" error={list.error} retry={list.refetch} />;
  return (
    <Page
      title={trash ? 'Trash' : 'Documents'}
      subtitle={
        trash ? 'Kept for 30 days.' : <Breadcrumbs trail={trail} onOpen={(depth) => enter(path.slice(0, depth))} />
      }
      actions={
        <>
          {trash && (
            <Button onClick={() => setAddress({ view: undefined, open: undefined }, true)}>
              <ChevronLeft size={15} aria-hidden />
              Data room
            </Button>
          )}
          {company.can('deleteDocuments') && !trash && (
            <Button onClick={() => setAddress({ view: 'trash', folder: undefined, open: undefined }, true)}>
              <Trash2 size={15} aria-hidden />
              Trash
            </Button>
          )}
          {editor && (
            <>
              <Button aria-expanded={naming} onClick={() => setNaming(!naming)}>
                <FolderPlus size={15} aria-hidden />
                New folder
              </Button>
              <Button look="primary" onClick={() => input.current?.click()}>
                <Upload size={15} aria-hidden />
                Upload
              </Button>
              <input
                ref={input}
                type="file"
                multiple
                aria-label="Files to upload"
                className="sr-only"
                tabIndex={-1}
                onChange={(event) => {
                  uploads.add([...(event.target.files ?? [])], folder);
                  event.target.value = '';
                }}
              />
            </>
          )}
        </>
      }
    >
      {naming && <NewFolder parent={folder} onDone={() => setNaming(false)} />}
      <Uploads {...uploads} />
      <section
        aria-label="Folder"
        className={`min-h-[50dvh] rounded-[10px] ${over ? 'outline-2 outline-offset-4 outline-accent outline-dashed' : ''}`}
        onDragOver={(event) => {
          if (!editor || !event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node) || setOver(false)}
        onDrop={(event) => {
          if (!editor) return;
          event.preventDefault();
          setOver(false);
          uploads.add([...event.dataTransfer.files], folder);
        }}
      >
        <Register
          label={trash ? 'Deleted items' : 'Items'}
          noun="item"
          rows={rows}
          columns={columns}
          rowId={(row) => row.id}
          loading={list.isPending}
          onOpen={open}
          empty={
            <Empty title={trash ? 'The trash is empty' : 'No documents here'}>
              {editor && 'Drop files here, or use the button.'}
            </Empty>
          }
        />
      </section>
      {opened && <ItemDrawer key={opened.id} item={opened} onClose={() => setAddress({ open: undefined })} />}
    </Page>
  );
}

/** The name of a new folder. */
function NewFolder({ parent, onDone }: { parent: string | undefined; onDone: () => void }) {
  const { id: organization } = useCompany();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (name: string) =>
      client.POST('/organization/{organization}/folder', {
        params: { path: { organization } },
        body: { name, parentFolder: parent ?? null },
      }),
    onSuccess: () => {
      onDone();
      queries.invalidateQueries({ queryKey: documentsKey });
    },
  });
  return (
    <div className="mb-4 max-w-md">
      <NameForm
        label="Name of the folder"
        action="Create"
        error={create.error ? problemOf(create.error).message : undefined}
        onSubmit={(name) => create.mutate(name)}
      />
    </div>
  );
}
