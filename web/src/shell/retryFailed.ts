import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { loadPage } from './loadAhead';

/** Sends all failed requests of the page again, loads its code if that failed, and shows the page. */
export async function retryFailed(queries: QueryClient, router: AnyRouter): Promise<void> {
  await Promise.allSettled([
    queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' }),
    ...router.state.matches.map(({ routeId }) => loadPage(router.routesById[routeId])),
  ]);
  await router.invalidate();
}
