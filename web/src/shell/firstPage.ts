import type { AnyRouter } from '@tanstack/react-router';
import { queryClient } from '~/api/client';
import { organizationQuery } from './company';
import { currentUser } from './user';

/**
 * Loads the user, the code of the first page and its company at the same time. The router would load each after the other.
 * Failures are handled when the router loads them again.
 */
export function loadFirstPage(router: AnyRouter): void {
  for (const { routeId, params } of router.matchRoutes(router.latestLocation)) {
    const route = router.routesById[routeId];
    router.loadRouteChunk(route)?.catch(() => undefined);
    if (routeId === '/_user') queryClient.prefetchQuery(currentUser);
    if (routeId === '/_user/company/$organization') queryClient.prefetchQuery(organizationQuery(params.organization));
  }
}
