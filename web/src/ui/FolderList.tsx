import { ChevronLeft, Folder } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { IconButton } from './Button';

type Props = {
  label: string;
  /** The name of the open folder. */
  name: string;
  /** The folders in it; undefined while they are loading. */
  folders: { id: string; name: string }[] | undefined;
  onOpen: (id: string) => void;
  /** Opens the folder above; absent at the top. */
  onAbove?: () => void;
  /** A button for the open folder. */
  action?: ReactNode;
  /** A button below the list. */
  more?: ReactNode;
  ref?: Ref<HTMLElement>;
};

/** An open folder with the folders in it, to choose one level by level. */
export function FolderList({ label, name, folders, onOpen, onAbove, action, more, ref }: Props) {
  return (
    <section ref={ref} aria-label={label} className="rounded-[7px] border border-line">
      <header className="flex min-h-10 items-center gap-2 border-b border-line px-2">
        <IconButton label="Folder above" disabled={!onAbove} onClick={onAbove}>
          <ChevronLeft size={15} aria-hidden />
        </IconButton>
        <span className="mr-auto min-w-0 truncate font-medium">{name}</span>
        {action}
      </header>
      <ul className="h-44 overflow-y-auto p-1">
        {!folders && <li className="skeleton h-8" />}
        {folders?.map((folder) => (
          <li key={folder.id}>
            <button
              type="button"
              className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
              onClick={() => onOpen(folder.id)}
            >
              <Folder size={15} aria-hidden className="text-accent" />
              <span className="truncate">{folder.name}</span>
            </button>
          </li>
        ))}
        {folders?.length === 0 && <li className="px-2 py-1.5 text-ink-3">No folders in {name}</li>}
        {more && <li className="p-1">{more}</li>}
      </ul>
    </section>
  );
}
