import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useBlocker } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import type { Address } from '~/shell/address';
import { Button } from './Button';

type Props = {
  /** Reports whether the form has entries that would be lost. */
  changed: () => boolean;
  /** The parts of the address that the form depends on. Another path ends every form. */
  parts?: string[];
};

/**
 * Asks before a form with entries ends, in whatever way: a button, Esc, a click outside, a link, a key, or the browser's way back. The
 * browser itself asks before the document ends.
 */
export function Unsaved({ changed, parts = ['tab'] }: Props) {
  const safe = useRef<HTMLButtonElement>(null);
  const latest = useRef({ changed, parts });
  latest.current = { changed, parts };
  const shouldBlockFn = useCallback(({ current, next }: { current: Location; next: Location }) => {
    const stays = next.pathname === current.pathname;
    const ends = !stays || latest.current.parts.some((name) => next.search[name] !== current.search[name]);
    return ends && latest.current.changed();
  }, []);
  const enableBeforeUnload = useCallback(() => latest.current.changed(), []);
  const { status, proceed, reset } = useBlocker({ shouldBlockFn, enableBeforeUnload, withResolver: true });
  return (
    <AlertDialog.Root open={status === 'blocked'} onOpenChange={(open) => !open && reset?.()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className="fixed inset-0 z-60 bg-black/15 dark:bg-black/45" />
        <AlertDialog.Popup
          initialFocus={safe}
          className="pop fixed inset-x-4 top-[20vh] z-60 mx-auto max-w-sm p-5 outline-none"
        >
          <AlertDialog.Title className="font-semibold">Discard what you entered?</AlertDialog.Title>
          <AlertDialog.Description className="mt-1 text-ink-2">
            The form has entries that are not recorded. They will be lost.
          </AlertDialog.Description>
          <div className="mt-4 flex justify-end gap-2">
            <Button look="danger" onClick={proceed}>
              Discard
            </Button>
            <Button ref={safe} look="primary" onClick={reset}>
              Continue the form
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

type Location = { pathname: string; search: Address };
