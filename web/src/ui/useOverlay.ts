import { type KeyboardEvent, type MouseEvent, useCallback, useRef, useState } from 'react';

/**
 * The state of a popup that is mounted while it is open. `load` fetches its code, when the pointer or the focus reaches the trigger at the
 * latest. `trigger` has the attributes of the button, and `popup` those of the popup.
 */
export function useOverlay(kind: 'menu' | 'dialog', load: () => Promise<unknown>) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const prepare = () => void load();
  return {
    open,
    close,
    popup: { anchor, onClose: close },
    trigger: {
      ref: anchor,
      'aria-haspopup': kind,
      'aria-expanded': open,
      'data-popup-open': open ? '' : undefined,
      onPointerEnter: prepare,
      onFocus: prepare,
      onClick: (event: MouseEvent) => {
        event.stopPropagation();
        setOpen(!open);
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (kind !== 'menu' || event.key !== 'ArrowDown') return;
        event.preventDefault();
        event.stopPropagation();
        setOpen(true);
      },
    },
  };
}

/** The attributes of a popup. */
export type Anchored = { anchor: React.RefObject<HTMLButtonElement | null>; onClose: () => void };
