import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useAddress } from '~/shell/address';

export type Tab = { id: string; label: string; content: ReactNode };

/** The parts of a settings page. The open one is in the URL. `off` switches all of their controls off. */
export function Tabs({ tabs, off }: { tabs: (Tab | false)[]; off?: boolean }) {
  const [{ tab }, setAddress] = useAddress();
  const shown = tabs.filter((one): one is Tab => one !== false);
  const current = shown.find((one) => one.id === tab) ?? shown[0];
  return (
    <Base.Root
      value={current?.id ?? null}
      onValueChange={(next) => setAddress({ tab: next === shown[0]?.id ? undefined : String(next) })}
    >
      <Base.List className="mb-6 flex flex-wrap gap-1 border-b border-line">
        {shown.map((one) => (
          <Base.Tab
            key={one.id}
            value={one.id}
            className="-mb-px h-9 border-b-2 border-transparent px-3 text-ink-2 hover:text-ink data-active:border-ink data-active:font-medium data-active:text-ink"
          >
            {one.label}
          </Base.Tab>
        ))}
      </Base.List>
      {shown.map((one) => (
        <Base.Panel key={one.id} value={one.id} className="max-w-3xl outline-none">
          <fieldset disabled={off} className="min-w-0">
            {one.content}
          </fieldset>
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
