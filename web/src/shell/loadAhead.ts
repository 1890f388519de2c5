import type { AnyRoute, AnyRouter } from '@tanstack/react-router';
import { partLoads } from '~/ui/lazyPart';

const pause = 4_000; // milliseconds after the first page, and after a failure

/** Loads the code of a page, again after a failure. The router keeps a failure, and removes `preload` after a success. */
export async function loadPage(route: AnyRoute): Promise<void> {
  const component = route.options.component;
  await component?.preload?.();
  if (component?.preload) throw new Error('the code of a page could not be loaded');
}

const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: pause });
    else setTimeout(resolve, 200);
  });

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Loads the code of all pages and parts, one after the other while the browser is idle, so that a short outage stops no work. */
export async function loadAhead(router: AnyRouter): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const pages = Object.values<AnyRoute>(router.routesById).map((route) => () => loadPage(route));
  const loaded = new Set<() => Promise<unknown>>();
  await wait(pause);
  for (;;) {
    const next = [...pages, ...partLoads].find((load) => !loaded.has(load));
    if (!next) return;
    await idle();
    await next().then(
      () => loaded.add(next),
      () => wait(pause),
    );
  }
}
