import { lazy, type ReactNode, Suspense } from 'react';
import { Changed } from '~/ui/Changed';
import { Popover } from '~/ui/Popover';

const Explanation = lazy(() => import('./Explanation'));

/** The look of a figure that unfolds. */
export const figureClass =
  'num min-h-6 rounded-[3px] decoration-ink-3 decoration-dotted underline-offset-4 hover:underline data-popup-open:underline';

/**
 * A computed figure. A click unfolds its explanation, from the figure to its parts and to the entries of the journal.
 * `figure` is a path of the operation explainFigure, such as "security/ID/available".
 */
export function Why({ figure, label, children }: { figure: string; label: string; children: ReactNode }) {
  return (
    <Popover
      className="max-h-[70dvh] w-[420px] max-w-[calc(100vw-16px)] overflow-y-auto p-4"
      trigger={
        <button
          type="button"
          aria-label={typeof children === 'string' ? `${label}: ${children}` : label}
          aria-description="Explain"
          className={figureClass}
        >
          {typeof children === 'string' ? <Changed value={children} /> : children}
        </button>
      }
    >
      {(close) => (
        <Suspense fallback={<div className="skeleton h-24" />}>
          <Explanation figure={figure} label={label} onLeave={close} />
        </Suspense>
      )}
    </Popover>
  );
}
