import { Outlet } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { Suspense, useCallback, useRef, useState } from 'react';
import { useDay } from '~/day/day';
import { day } from '~/format/dates';
import { IconButton } from '~/ui/Button';
import { lazyPart } from '~/ui/lazyPart';
import { usePrintedMargins } from '~/ui/print';
import { useNarrow } from '~/ui/useNarrow';
import { Connection } from './Connection';
import { useMaybeCompany } from './company';
import { useKeys } from './keys';
import { SessionEnd } from './SessionEnd';
import { Sidebar } from './Sidebar';
import { useAssistant } from './useAssistant';

const Palette = lazyPart(() => import('./Palette'));
const Keys = lazyPart(() => import('./Keys'));
const NavigationDrawer = lazyPart(() => import('./NavigationDrawer'));
const AssistantPanel = lazyPart(() => import('~/assistant/AssistantPanel'));

/** Gives the focus back to an element once a dialog has closed, unless something else has it. */
const returnFocus = (element: Element | null) =>
  setTimeout(() => {
    if (document.activeElement === document.body && element instanceof HTMLElement && element.isConnected)
      element.focus();
  });

/** The frame of all pages of a signed-in user: navigation, command palette, and one sheet with the page. */
export function Shell() {
  const [palette, setPalette] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const [keys, setKeys] = useState(false);
  const company = useMaybeCompany();
  const { date } = useDay();
  const narrow = useNarrow();
  const assistant = useAssistant(company);
  const helped = assistant.open && assistant.available;
  const toggleAssistant = assistant.toggle;
  const onAssistant = assistant.available ? toggleAssistant : undefined;
  const previous = useRef<Element>(null);
  const openPalette = useCallback(() => {
    previous.current = document.activeElement;
    setPalette(true);
  }, []);
  const closePalette = () => {
    setPalette(false);
    returnFocus(previous.current);
  };
  const showKeys = useCallback(() => setKeys(true), []);
  usePrintedMargins(company?.legalName ?? company?.name ?? 'Equity', day(date));
  useKeys(company, openPalette, toggleAssistant, showKeys);
  return (
    <div
      className={`grid h-dvh ${helped ? 'grid-cols-[228px_1fr_400px] max-[1100px]:grid-cols-[228px_1fr]' : 'grid-cols-[228px_1fr]'} max-[900px]:grid-cols-1 max-[900px]:grid-rows-[48px_1fr] print:block print:h-auto`}
    >
      <a
        href="#main"
        className="btn btn-primary sr-only z-50 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      {!narrow && (
        <aside className="flex min-h-0 flex-col print:hidden">
          <Sidebar company={company} onSearch={openPalette} onAssistant={onAssistant} />
        </aside>
      )}
      <header className="hidden items-center gap-2 border-b border-line px-2 max-[900px]:flex print:hidden!">
        <IconButton label="Menu" onClick={() => setDrawer(true)}>
          <MenuIcon size={18} aria-hidden />
        </IconButton>
        <span className="mr-auto truncate font-medium">{company?.name ?? 'Equity'}</span>
        <IconButton label="Search" onClick={openPalette}>
          <Search size={18} aria-hidden />
        </IconButton>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="m-2 mb-[calc(8px+var(--toast-room,0px))] ml-0 overflow-y-auto rounded-[10px] border border-line bg-surface outline-none max-[900px]:m-0 max-[900px]:mb-[var(--toast-room,0px)] max-[900px]:rounded-none max-[900px]:border-0 print:m-0! print:overflow-visible print:border-0"
      >
        <Connection />
        <Outlet />
      </main>
      {helped && (
        <Suspense>
          <AssistantPanel {...assistant} />
        </Suspense>
      )}
      {drawer && (
        <Suspense>
          <NavigationDrawer onClose={() => setDrawer(false)}>
            <Sidebar
              company={company}
              onSearch={openPalette}
              onAssistant={onAssistant}
              onNavigate={() => setDrawer(false)}
            />
          </NavigationDrawer>
        </Suspense>
      )}
      {keys && (
        <Suspense>
          <Keys company={company} onClose={() => setKeys(false)} />
        </Suspense>
      )}
      {palette && (
        <Suspense>
          <Palette company={company} onAssistant={onAssistant} onClose={closePalette} />
        </Suspense>
      )}
      <SessionEnd />
    </div>
  );
}
