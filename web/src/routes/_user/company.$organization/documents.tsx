import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ChevronLeft, FileText, Folder, FolderPlus, Info, Trash2, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { client } from '~/api/client';
import { problemOf } from '~/api/problem';
import { type Item, upload, useFolder } from '~/documents/api';
import { ItemDrawer } from '~/documents/ItemDrawer';
import { NameForm } from '~/documents/NameForm';
import { moment } from '~/format/dates';
import { size } from '~/format/figures';
import { counted } from '~/format/words';
import type { Column } from '~/register/column';
import { Register } from '~/register/Register';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { Banner, Empty, Failure } from '~/ui/Notice';
import { Page } from '~/ui/Page';
import { notify } from '~/ui/Toasts';

export const Route = createFileRoute('/_user/company/$organization/documents')({ component: DocumentsPage });

const columnsOf = (details: (item: Item) => void): Column<Item>[] => [
  {
    id: 'name',
    header: 'Name',
    value: (row) => row.name,
    width: 'minmax(200px, 3fr)',
    cell: (row) => (
      <span className="flex items-center gap-2">
        {row.type === 'folder' ? (
          <Folder size={15} aria-label="Folder" className="shrink-0 text-accent" />
        ) : (
          <FileText size={15} aria-label="File" className="shrink-0 text-ink-3" />
        )}
        <span className="truncate">{row.name}</span>
      </span>
    ),
    narrow: 'title',
  },
  {
    id: 'size',
    header: 'Size',
    value: (row) => row.size?.toString(),
    cell: (row) => (row.size === undefined ? '–' : size(row.size)),
    width: '110px',
    narrow: 'value',
  },
  { id: 'versions', header: 'Versions', value: (row) => row.versions?.toString(), width: '90px' },
  {
    id: 'changed',
    header: 'Changed',
    value: (row) => row.updatedAt,
    cell: (row) => <span className="num">{moment(row.updatedAt)}</span>,
    width: '170px',
    narrow: 'detail',
  },
  {
    id: 'details',
    header: 'Details',
    value: () => '',
    width: '64px',
    cell: (row) => (
      <IconButton
        label={`Details of ${row.name}`}
        onClick={(event) => {
          event.stopPropagation();
          details(row);
        }}
      >
        <Info size={15} aria-hidden />
      </IconButton>
    ),
  },
];

/** The data room: folders in the URL, uploads by drag or button, the trash. */
function DocumentsPage() {
  const company = useCompany();
  const queries = useQueryClient();
  const [address, setAddress] = useAddress();
  const trash = address.view === 'trash';
  const folder = useFolder(company.id, address.folder, trash);
  const [naming, setNaming] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ['get', '/organization/{organization}/document'] });
  const sending = useMutation({
    mutationFn: (files: File[]) => upload(company.id, address.folder, files),
    onSuccess: (_, files) => {
      notify({ title: `${counted(files.length, 'file')} uploaded` });
      refresh();
    },
  });
  const create = useMutation({
    mutationFn: (name: string) =>
      client.POST('/organization/{organization}/folder', {
        params: { path: { organization: company.id } },
        body: { name, parentFolder: address.folder ?? null } as never,
      }),
    onSuccess: () => {
      setNaming(false);
      refresh();
    },
  });
  const editor = company.can('editDocuments') && !trash;
  const rows = folder.data ?? [];
  const opened = rows.find((row) => row.id === address.open);
  const open = (row: Item) =>
    row.type === 'folder' && !trash
      ? setAddress({ folder: row.id, q: undefined }, true)
      : setAddress({ open: row.id }, true);
  if (folder.isError) return <Failure what="The data room" error={folder.error} retry={folder.refetch} />;
  return (
    <Page
      title={trash ? 'Trash' : 'Documents'}
      subtitle={trash ? 'Kept for 30 days.' : undefined}
      actions={
        <>
          {(address.folder || trash) && (
            <Button onClick={() => setAddress({ folder: undefined, view: undefined }, true)}>
              <ChevronLeft size={15} aria-hidden />
              Data room
            </Button>
          )}
          {company.can('deleteDocuments') && !trash && (
            <Button onClick={() => setAddress({ view: 'trash', folder: undefined }, true)}>
              <Trash2 size={15} aria-hidden />
              Trash
            </Button>
          )}
          {editor && (
            <>
              <Button onClick={() => setNaming(!naming)}>
                <FolderPlus size={15} aria-hidden />
                New folder
              </Button>
              <Button look="primary" disabled={sending.isPending} onClick={() => input.current?.click()}>
                <Upload size={15} aria-hidden />
                {sending.isPending ? 'Uploading…' : 'Upload'}
              </Button>
              <input
                ref={input}
                type="file"
                multiple
                aria-label="Files to upload"
                className="sr-only"
                tabIndex={-1}
                onChange={(event) => {
                  const files = [...(event.target.files ?? [])];
                  if (files.length > 0) sending.mutate(files);
                  event.target.value = '';
                }}
              />
            </>
          )}
        </>
      }
    >
      {sending.error && <Banner tone="bad">{problemOf(sending.error).message} No file was stored.</Banner>}
      {naming && (
        <div className="mb-4 max-w-md">
          <NameForm
            label="Name of the folder"
            action="Create"
            error={create.error ? problemOf(create.error).message : undefined}
            onSubmit={(name) => create.mutate(name)}
          />
        </div>
      )}
      <section
        aria-label="Items"
        onDragOver={(event) => editor && event.preventDefault()}
        onDrop={(event) => {
          if (!editor) return;
          event.preventDefault();
          sending.mutate([...event.dataTransfer.files]);
        }}
      >
        <Register
          label={trash ? 'Deleted items' : 'Items'}
          noun="item"
          rows={rows}
          columns={columnsOf((row) => setAddress({ open: row.id }, true))}
          rowId={(row) => row.id}
          loading={folder.isPending}
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
