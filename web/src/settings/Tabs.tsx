import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useAddress } from '~/shell/address';

/** A part of a settings page. A `dated` part switches its own changes off on a past day. */
export type Tab = { id: string; label: string; content: ReactNode; dated?: boolean };

/** The parts of a settings page. The open one is in the URL. `off` switches the controls of all others than `dated` parts off. */
export function Tabs({ tabs, off }: { tabs: (Tab | false)[]; off?: boolean }) {
  const [{ tab }, setAddress] = useAddress();
  const shown = tabs.filter((one): one is Tab => one !== false);
  const current = shown.find((one) => one.id === tab) ?? shown[0];
  return (
    <Base.Root
      value={current?.id ?? null}
      onValueChange={(next) => setAddress({ tab: next === shown[0]?.id ? undefined : String(next) })}
    >
      <Base.List className="mb-6 flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line max-[900px]:-mx-4 max-[900px]:px-4 print:hidden">
        {shown.map((one) => (
          <Base.Tab
            key={one.id}
            value={one.id}
            className="h-9 shrink-0 border-b-2 border-transparent px-3 text-ink-2 hover:text-ink data-active:border-ink data-active:font-medium data-active:text-ink"
          >
            {one.label}
          </Base.Tab>
        ))}
      </Base.List>
      {shown.map((one) => (
        <Base.Panel key={one.id} value={one.id} className="max-w-5xl outline-none">
          <fieldset disabled={off && !one.dated} className="min-w-0">
            {one.content}
          </fieldset>
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
