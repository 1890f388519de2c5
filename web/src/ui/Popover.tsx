import { cloneElement, type ReactElement, type ReactNode, Suspense } from 'react';
import { lazyPart } from './lazyPart';
import { type Anchored, useOverlay } from './useOverlay';

/** Loads the code of popups. */
export const loadPopup = () => import('./PopoverPopup');
const PopoverPopup = lazyPart(loadPopup);

type Look = {
  /** The name of the popup, unless its content has a title. */
  label?: string;
  /** The classes of the popup. */
  className?: string;
  align?: 'start' | 'center' | 'end';
};

type Props = Look & {
  /** The button. */
  trigger: ReactElement;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a popup with any content. */
export function Popover({ trigger, children, ...look }: Props) {
  const overlay = useOverlay('dialog', loadPopup);
  return (
    <>
      {cloneElement(trigger, overlay.trigger)}
      {overlay.open && (
        <Popup {...overlay.popup} {...look}>
          {children(overlay.close)}
        </Popup>
      )}
    </>
  );
}

/** An open popup at a button. */
export const Popup = (props: Anchored & Look & { children: ReactNode }) => (
  <Suspense>
    <PopoverPopup {...props} />
  </Suspense>
);
