import { ChevronRight } from 'lucide-react';

type Props = { trail: { id: string; name: string }[]; onOpen: (depth: number) => void };

/** The path of the open folder. Each part but the last opens its folder. */
export function Breadcrumbs({ trail, onOpen }: Props) {
  const parts = [{ id: 'root', name: 'Data room' }, ...trail];
  return (
    <nav aria-label="Path">
      <ol className="flex flex-wrap items-center gap-1">
        {parts.map((part, depth) => (
          <li key={part.id} className="flex items-center gap-1">
            {depth > 0 && <ChevronRight size={13} aria-hidden className="text-ink-3" />}
            {depth < parts.length - 1 ? (
              <button type="button" className="hover:text-ink hover:underline" onClick={() => onOpen(depth)}>
                {part.name}
              </button>
            ) : (
              <span aria-current="page" className="text-ink-2">
                {part.name}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
