import type { AnyRouter } from '@tanstack/react-router';
import { queryClient } from '~/api/client';
import { currentUser } from './user';

const patience = 300; // milliseconds

/**
 * Loads the user, the code and the records of the first page at the same time; the router would load one after the other. Returns when the page
 * can be rendered at once, or after a moment. Failures are handled when the router loads them again.
 */
export async function loadFirstPage(router: AnyRouter): Promise<void> {
  const code = router.matchRoutes(router.latestLocation).map(({ routeId, params, search }) => {
    const route = router.routesById[routeId];
    const { loader, loaderDeps } = route.options;
    if (routeId === '/_user') queryClient.prefetchQuery(currentUser);
    Promise.resolve(loader?.({ params, deps: loaderDeps?.({ search }) })).catch(() => undefined);
    return router.loadRouteChunk(route);
  });
  const records = queryClient.getQueryCache().getAll();
  const loaded = Promise.allSettled([router.load(), ...code, ...records.map((query) => query.promise)]);
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, patience))]);
}
