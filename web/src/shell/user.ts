import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';

export const currentUser = queryOptions({
  queryKey: ['get', '/user/current'],
  queryFn: async () => (await client.GET('/user/current')).data as Schema<'User'>,
  staleTime: 60_000,
});

/** Returns the signed-in user. Pages below the signed-in layout always have one. */
export const useUser = (): Schema<'User'> => useSuspenseQuery(currentUser).data;
