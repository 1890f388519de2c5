import { Popover } from '@base-ui/react/popover';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Changed } from '~/ui/Changed';

const Explanation = lazy(() => import('./Explanation'));

/**
 * A computed figure. A click unfolds its explanation, from the figure to its parts and to the entries of the journal.
 * `figure` is a path of the operation explainFigure, such as "security/ID/available".
 */
export function Why({ figure, label, children }: { figure: string; label: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={typeof children === 'string' ? `${label}: ${children}` : label}
        aria-description="Explain"
        className="num rounded-[3px] decoration-ink-3 decoration-dotted underline-offset-4 hover:underline data-popup-open:underline"
        onClick={(event) => event.stopPropagation()}
      >
        {typeof children === 'string' ? <Changed value={children} /> : children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} className="z-60" collisionPadding={8}>
          <Popover.Popup className="pop max-h-[70dvh] w-[420px] max-w-[calc(100vw-16px)] overflow-y-auto p-4 outline-none">
            <Suspense fallback={<div className="skeleton h-24" />}>
              <Explanation figure={figure} label={label} onLeave={() => setOpen(false)} />
            </Suspense>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
