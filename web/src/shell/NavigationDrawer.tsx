import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

/** The navigation at the left edge of a narrow screen. */
export default function NavigationDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/25 dark:bg-black/50" />
        <Dialog.Popup
          aria-label="Navigation"
          className="fixed inset-y-0 left-0 z-50 flex w-72 flex-col bg-canvas outline-none"
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
