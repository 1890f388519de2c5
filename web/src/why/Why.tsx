import { type ReactNode, Suspense } from 'react';
import { Changed } from '~/ui/Changed';
import { lazyPart } from '~/ui/lazyPart';
import { Popover, Popup } from '~/ui/Popover';
import type { Anchored } from '~/ui/useOverlay';

const Explanation = lazyPart(() => import('./Explanation'));

/** The look of a figure that unfolds. */
export const figureClass =
  'num min-h-6 max-w-full truncate rounded-[3px] decoration-ink-3 decoration-dotted underline-offset-4 hover:underline data-popup-open:underline';

const popup = 'max-h-[70dvh] w-[420px] max-w-[calc(100vw-16px)] overflow-y-auto p-4';

export type WhyProps = { figure: string; label: string; children: ReactNode };

const nameOf = ({ label, children }: WhyProps) => (typeof children === 'string' ? `${label}: ${children}` : label);

const Content = ({ onLeave, ...shown }: { figure: string; label: string; onLeave: () => void }) => (
  <Suspense fallback={<div className="skeleton h-24" />}>
    <Explanation {...shown} onLeave={onLeave} />
  </Suspense>
);

/**
 * A computed figure. A click unfolds its explanation, from the figure to its parts and to the entries of the journal.
 * `figure` is a path of the operation explainFigure, such as "security/ID/available".
 */
export function Why(props: WhyProps) {
  const { figure, label, children } = props;
  return (
    <Popover
      className={popup}
      trigger={
        <button type="button" aria-label={nameOf(props)} aria-description="Explain" className={figureClass}>
          {typeof children === 'string' ? <Changed value={children} /> : children}
        </button>
      }
    >
      {(close) => <Content figure={figure} label={label} onLeave={close} />}
    </Popover>
  );
}

/** The button of a figure in a row of a register, which opens the explanation. */
export const FigureButton = ({ open, ...props }: WhyProps & { open: boolean }) => (
  <button
    type="button"
    tabIndex={-1}
    data-figure={props.figure}
    data-label={props.label}
    data-popup-open={open ? '' : undefined}
    aria-label={nameOf(props)}
    aria-description="Explain"
    aria-haspopup="dialog"
    aria-expanded={open}
    className={figureClass}
  >
    {props.children}
  </button>
);

/** The open explanation of a figure at its button. */
export const WhyPopup = ({ figure, label, ...place }: Anchored & { figure: string; label: string }) => (
  <Popup {...place} className={popup}>
    <Content figure={figure} label={label} onLeave={place.onClose} />
  </Popup>
);
