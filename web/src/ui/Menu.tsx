import { cloneElement, type ReactElement, Suspense } from 'react';
import { lazyPart } from './lazyPart';
import { useOverlay } from './useOverlay';

const load = () => import('./MenuPopup');
const MenuPopup = lazyPart(load);

/** An item with `checked` is a setting: the menu stays open while it changes. An `id` distinguishes items with the same label. */
export type MenuItem = {
  label: string;
  run: () => void;
  danger?: boolean;
  hint?: string;
  checked?: boolean;
  id?: string;
};

/** A button that opens a list of actions. `trigger` is the button. */
export function Menu({ trigger, items }: { trigger: ReactElement; items: (MenuItem | false | undefined)[] }) {
  const overlay = useOverlay('menu', load);
  return (
    <>
      {cloneElement(trigger, overlay.trigger)}
      {overlay.open && (
        <Suspense>
          <MenuPopup {...overlay.popup} items={items.filter((item) => !!item)} />
        </Suspense>
      )}
    </>
  );
}
