import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { MenuItem } from './Menu';
import type { Anchored } from './useOverlay';

const look = 'relative flex h-8 items-center gap-6 rounded-md px-2 data-highlighted:bg-active';

const Text = ({ item }: { item: MenuItem }) => (
  <>
    {item.label}
    {item.hint && <span className="ml-auto text-xs text-ink-3">{item.hint}</span>}
  </>
);

/** The open list of a Menu. */
export default function MenuPopup({ anchor, onClose, items }: Anchored & { items: MenuItem[] }) {
  return (
    <Menu.Root
      open
      onOpenChange={(_, { event }) => {
        if (event.target instanceof Node && anchor.current?.contains(event.target)) return; // the trigger closes it
        onClose();
      }}
    >
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} sideOffset={4} align="end" className="z-60">
          <Menu.Popup
            finalFocus={anchor}
            className="pop max-h-(--available-height) min-w-44 overflow-y-auto p-1 outline-none"
          >
            {items.map((item) =>
              item.checked === undefined ? (
                <Menu.Item
                  key={item.id ?? item.label}
                  onClick={item.run}
                  className={`${look} ${item.danger ? 'text-neg' : ''}`}
                >
                  <Text item={item} />
                </Menu.Item>
              ) : (
                <Menu.CheckboxItem
                  key={item.label}
                  checked={item.checked}
                  onCheckedChange={item.run}
                  className={`${look} pl-7`}
                >
                  <Menu.CheckboxItemIndicator className="absolute left-2">
                    <Check size={14} aria-hidden />
                  </Menu.CheckboxItemIndicator>
                  <Text item={item} />
                </Menu.CheckboxItem>
              ),
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
