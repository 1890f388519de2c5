import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { useOverlay } from './useOverlay';

const load = () => import('./PopoverPopup');
const PopoverPopup = lazy(load);

type Props = {
  /** The button. */
  trigger: ReactElement;
  /** The name of the popup, unless its content has a title. */
  label?: string;
  /** The classes of the popup. */
  className?: string;
  align?: 'start' | 'center' | 'end';
  children: (close: () => void) => ReactNode;
};

/** A button that opens a popup with any content. */
export function Popover({ trigger, label, className, align, children }: Props) {
  const overlay = useOverlay('dialog', load);
  return (
    <>
      {cloneElement(trigger, overlay.trigger)}
      {overlay.open && (
        <Suspense>
          <PopoverPopup {...overlay.popup} label={label} className={className} align={align}>
            {children(overlay.close)}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  );
}
