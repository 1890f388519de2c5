import { Popover } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import type { Anchored } from './useOverlay';

type Props = Anchored & { label?: string; className?: string; align?: 'start' | 'center' | 'end'; children: ReactNode };

/** The open popup of a Popover. */
export default function PopoverPopup({ anchor, onClose, label, className = '', align = 'center', children }: Props) {
  return (
    <Popover.Root
      open
      onOpenChange={(_, { event }) => {
        if (event.target instanceof Node && anchor.current?.contains(event.target)) return; // the trigger closes it
        onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} sideOffset={6} align={align} className="z-60" collisionPadding={8}>
          <Popover.Popup aria-label={label} finalFocus={anchor} className={`pop outline-none ${className}`}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
