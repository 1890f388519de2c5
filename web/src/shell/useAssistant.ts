import { useCallback, useRef, useState } from 'react';

/**
 * Returns whether the assistant is open, and a function that opens or closes it if it is available. The focus returns to its
 * previous element.
 */
export function useAssistant(available: boolean): [boolean, () => void] {
  const [open, setOpen] = useState(false);
  const previous = useRef<Element>(null);
  const toggle = useCallback(() => {
    if (!available) return;
    if (!open) {
      previous.current = document.activeElement;
    } else {
      const target = previous.current;
      const kept = target instanceof HTMLElement && target !== document.body && target.isConnected;
      (kept ? target : document.getElementById('main'))?.focus();
    }
    setOpen(!open);
  }, [open, available]);
  return [open, toggle];
}
