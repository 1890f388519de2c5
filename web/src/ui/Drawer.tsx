import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './Button';
import { Unbroken } from './Unbroken';
import { useTitle } from './useTitle';

type Props = {
  open: boolean;
  onClose: () => void;
  title: string;
  subtitle?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  /** Has a fixed height on a narrow screen, for content that is loaded in parts. */
  tall?: boolean;
  /** Returns the element that receives the focus; the first one that can have it by default. */
  focus?: () => HTMLElement | null | undefined;
};

/**
 * A panel at the right edge, or a sheet at the bottom of a narrow screen. The page behind it stays visible, but is not printed.
 */
export function Drawer({ open, onClose, title, subtitle, children, footer, wide, tall, focus }: Props) {
  useTitle(title, true);
  return (
    <Dialog.Root open={open} onOpenChange={(shown) => !shown && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="print:hidden fixed inset-0 z-40 bg-black/15 transition-opacity duration-120 dark:bg-black/45" />
        <Dialog.Popup
          initialFocus={focus ? () => focus() ?? true : undefined}
          className={`pop drawer fixed top-2 right-2 bottom-2 z-50 flex w-[calc(100vw-16px)] flex-col outline-none max-[900px]:top-auto max-[900px]:left-2 max-[900px]:max-h-[92dvh] print:static print:block print:max-h-none print:w-auto ${wide ? 'min-[900px]:w-[860px]' : 'min-[900px]:w-[480px]'} ${tall ? 'max-[900px]:h-[92dvh]' : ''}`}
        >
          <header className="flex items-start gap-3 px-6 pt-5 pb-3 max-[900px]:px-4">
            <div className="mr-auto min-w-0">
              <Dialog.Title className="text-lg font-semibold tracking-[-0.01em]">
                <Unbroken text={title} />
              </Dialog.Title>
              {subtitle && (
                <Dialog.Description className="text-ink-3">
                  {typeof subtitle === 'string' ? <Unbroken text={subtitle} /> : subtitle}
                </Dialog.Description>
              )}
            </div>
            <Dialog.Close render={<IconButton label="Close" className="print:hidden" />}>
              <X size={16} aria-hidden />
            </Dialog.Close>
          </header>
          <div className="mb-[var(--toast-room,0px)] min-h-0 flex-1 overflow-y-auto px-6 pb-6 max-[900px]:px-4 print:mb-0 print:overflow-visible">
            {children}
          </div>
          {footer && <footer className="print:hidden border-t border-line px-6 py-3 max-[900px]:px-4">{footer}</footer>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
