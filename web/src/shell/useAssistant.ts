import { useCallback, useRef, useState } from 'react';

/** Returns whether the assistant is open, and a function that opens or closes it. The focus returns to its previous element. */
export function useAssistant(): [boolean, () => void] {
  const [open, setOpen] = useState(false);
  const previous = useRef<Element>(null);
  const toggle = useCallback(() => {
    if (!open) {
      previous.current = document.activeElement;
    } else {
      const target = previous.current;
      const kept = target instanceof HTMLElement && target !== document.body && target.isConnected;
      (kept ? target : document.getElementById('main'))?.focus();
    }
    setOpen(!open);
  }, [open]);
  return [open, toggle];
}
