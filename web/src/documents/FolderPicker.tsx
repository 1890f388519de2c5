import { useEffect, useRef, useState } from 'react';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { FolderList } from '~/ui/FolderList';
import { type Item, useFolder, useTrail } from './api';

type Props = { item: Item; moving: boolean; onMove: (folder: string | null) => void };

/** A choice of a folder to which an item is moved. */
export function FolderPicker({ item, moving, onMove }: Props) {
  const { id: organization } = useCompany();
  const [path, setPath] = useState<string[]>([]);
  const picker = useRef<HTMLElement>(null);
  useEffect(() => {
    picker.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const trail = useTrail(organization, path);
  const list = useFolder(organization, path.at(-1));
  const here = path.at(-1) ?? null;
  return (
    <FolderList
      ref={picker}
      label="Move to a folder"
      name={trail.at(-1)?.name ?? 'Data room'}
      folders={list.data?.filter((one) => one.type === 'folder' && one.id !== item.id)}
      onOpen={(folder) => setPath([...path, folder])}
      onAbove={path.length > 0 ? () => setPath(path.slice(0, -1)) : undefined}
      action={
        <Button disabled={moving || here === item.parentFolder} onClick={() => onMove(here)}>
          Move here
        </Button>
      }
    />
  );
}
