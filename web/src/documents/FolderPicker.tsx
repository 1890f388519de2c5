import { ChevronLeft, Folder } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { type Item, useFolder, useTrail } from './api';

type Props = { item: Item; moving: boolean; onMove: (folder: string | null) => void };

/** A choice of a folder, opened level by level, to which an item is moved. */
export function FolderPicker({ item, moving, onMove }: Props) {
  const { id: organization } = useCompany();
  const [path, setPath] = useState<string[]>([]);
  const picker = useRef<HTMLElement>(null);
  useEffect(() => picker.current?.scrollIntoView({ block: 'nearest' }), []);
  const trail = useTrail(organization, path);
  const list = useFolder(organization, path.at(-1));
  const folders = (list.data ?? []).filter((one) => one.type === 'folder' && one.id !== item.id);
  const here = path.at(-1) ?? null;
  const name = trail.at(-1)?.name ?? 'Data room';
  return (
    <section ref={picker} aria-label="Move to a folder" className="rounded-[7px] border border-line">
      <header className="flex min-h-10 items-center gap-2 border-b border-line px-2">
        <IconButton label="Folder above" disabled={path.length === 0} onClick={() => setPath(path.slice(0, -1))}>
          <ChevronLeft size={15} aria-hidden />
        </IconButton>
        <span className="mr-auto min-w-0 truncate font-medium">{name}</span>
        <Button disabled={moving || here === item.parentFolder} onClick={() => onMove(here)}>
          Move here
        </Button>
      </header>
      <ul className="max-h-44 overflow-y-auto p-1">
        {folders.map((folder) => (
          <li key={folder.id}>
            <button
              type="button"
              className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
              onClick={() => setPath([...path, folder.id])}
            >
              <Folder size={15} aria-hidden className="text-accent" />
              <span className="truncate">{folder.name}</span>
            </button>
          </li>
        ))}
        {folders.length === 0 && <li className="px-2 py-1.5 text-ink-3">No folders in {name}</li>}
      </ul>
    </section>
  );
}
