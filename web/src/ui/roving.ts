import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';

const controls = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]:not([role=group])';

/** Returns the controls of an element in the order of the document. */
export const controlsOf = (root: Element): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(controls)];

/** Leaves one tab stop in an element: the focused control, or else the previous stop, the preferred control, or the first. */
export function keepOneStop(root: Element | null, preferred = ''): void {
  if (!root) return;
  const all = controlsOf(root);
  const stop =
    all.find((one) => one === document.activeElement) ??
    all.find((one) => one.dataset.stop !== undefined) ??
    (preferred ? all.find((one) => one.matches(preferred)) : undefined) ??
    all[0];
  for (const one of all) {
    if (one.tabIndex !== (one === stop ? 0 : -1)) one.tabIndex = one === stop ? 0 : -1;
    if (one !== stop) delete one.dataset.stop;
  }
  if (stop && stop === document.activeElement) stop.dataset.stop = '';
}

/**
 * Makes the controls of an element one tab stop. Arrow keys, Home and End move between them. Returns the attributes of the element.
 * `preferred` selects the control that is the stop before one had the focus.
 */
export function useRoving<Root extends HTMLElement>(preferred?: string) {
  const ref = useRef<Root>(null);
  useLayoutEffect(() => keepOneStop(ref.current, preferred));
  const onFocus = () => keepOneStop(ref.current, preferred);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = ref.current ? controlsOf(ref.current) : [];
    const at = all.indexOf(event.target as HTMLElement);
    if (at < 0 || event.metaKey || event.ctrlKey || event.altKey) return;
    const targets: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    all[(target + all.length) % all.length]?.focus();
  };
  return { ref, onFocus, onKeyDown };
}
