import { useSyncExternalStore } from 'react';
import { usePrinting } from './print';

const query = 'screen and (max-width: 900px)';

function subscribe(changed: () => void) {
  const media = matchMedia(query);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** Reports whether the screen is too narrow for a table. */
export function useNarrow(): boolean {
  const narrow = useSyncExternalStore(subscribe, () => matchMedia(query).matches);
  return !usePrinting() && narrow; // paper has tables
}
