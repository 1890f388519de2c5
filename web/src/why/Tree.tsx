import { createContext, type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react';

type Focus = { active: string; setActive: (path: string) => void; onLeave: () => void };

const FocusContext = createContext<Focus>({ active: '', setActive: () => undefined, onLeave: () => undefined });

/** Returns the attributes by which the items of a tree share one tab stop, and what to call when a link is followed. */
export function useTreeItem(path: string, level: number) {
  const { active, setActive, onLeave } = useContext(FocusContext);
  const item = {
    role: 'treeitem',
    'aria-level': level,
    tabIndex: active === path ? 0 : -1,
    onFocus: () => setActive(path),
  };
  return { item, onLeave };
}

type Props = { label: string; first: string; onLeave: () => void; children: ReactNode };

/** A tree with one tab stop. Up, Down, Home and End move between the items, Left and Right fold and unfold them. */
export function Tree({ label, first, onLeave, children }: Props) {
  const [active, setActive] = useState(first);
  const tree = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const around = tree.current?.closest('[role=dialog]');
    if (around?.contains(document.activeElement)) tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const item = items[at];
    if (!item) return;
    const expanded = item.getAttribute('aria-expanded');
    const parent = item.closest('[role=group]')?.previousElementSibling as HTMLElement | null | undefined;
    const moves: Record<string, () => void> = {
      ArrowDown: () => items[at + 1]?.focus(),
      ArrowUp: () => items[at - 1]?.focus(),
      Home: () => items[0]?.focus(),
      End: () => items.at(-1)?.focus(),
      ArrowRight: () => (expanded === 'false' ? item.click() : expanded && items[at + 1]?.focus()),
      ArrowLeft: () => (expanded === 'true' ? item.click() : parent?.focus()),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  return (
    <FocusContext value={{ active, setActive, onLeave }}>
      <div ref={tree} role="tree" aria-label={label} onKeyDown={onKeyDown}>
        {children}
      </div>
    </FocusContext>
  );
}
