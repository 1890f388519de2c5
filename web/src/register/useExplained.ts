import { type MouseEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { loadPopup } from '~/ui/Popover';

/** Explained is the figure whose explanation is open. */
export type Explained = { figure: string; label: string; row: string };

const buttonOf = (target: EventTarget): HTMLButtonElement | null =>
  target instanceof Element ? target.closest<HTMLButtonElement>('button[data-figure]') : null;

/**
 * The explanation of a figure in one of the rows. One popup serves all figures, so that rows have no state. It is closed when its button
 * shows another figure.
 */
export function useExplained(idOf: (line: Element) => string | undefined) {
  const anchor: RefObject<HTMLButtonElement | null> = useRef(null);
  const [open, setOpen] = useState<Explained>();
  useLayoutEffect(() => {
    const button = anchor.current;
    if (open && !(button?.isConnected && button.dataset.figure === open.figure)) setOpen(undefined);
  });
  const close = useCallback(() => setOpen(undefined), []);
  /** Opens or closes the explanation. Reports whether the event belongs to a figure. */
  const click = (event: MouseEvent): boolean => {
    const button = buttonOf(event.target);
    const line = button?.closest('[data-index]');
    if (!button || !line) return false;
    const { figure = '', label = '' } = button.dataset;
    anchor.current = button;
    setOpen(open?.figure === figure ? undefined : { figure, label, row: idOf(line) ?? '' });
    return true;
  };
  const prepare = (target: EventTarget) => void (buttonOf(target) && loadPopup());
  return { open, anchor, close, click, prepare };
}
