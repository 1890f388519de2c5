import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement } from 'react';

export type MenuItem = { label: string; run: () => void; danger?: boolean; hint?: string };

/** A button that opens a list of actions. `trigger` is the button. */
export function Menu({ trigger, items }: { trigger: ReactElement; items: (MenuItem | false | undefined)[] }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-60">
          <Base.Popup className="pop min-w-44 p-1 outline-none">
            {items.map(
              (item) =>
                item && (
                  <Base.Item
                    key={item.label}
                    onClick={item.run}
                    className={`flex h-8 items-center gap-6 rounded-md px-2 data-highlighted:bg-active ${item.danger ? 'text-neg' : ''}`}
                  >
                    {item.label}
                    {item.hint && <span className="ml-auto text-xs text-ink-3">{item.hint}</span>}
                  </Base.Item>
                ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
