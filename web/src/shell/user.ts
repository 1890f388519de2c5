import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';
import { Problem, problemOf } from '~/api/problem';

/** Reads the user of the session. A visitor has none, which is no failed request. */
export async function readUser(): Promise<Schema<'User'>> {
  const state = await client.GET('/user/sign-in').catch((thrown: unknown) => {
    if (problemOf(thrown).status === 403) return undefined; // the password must be changed first
    throw thrown;
  });
  if (!state) return (await client.GET('/user/current')).data as Schema<'User'>;
  if (!state.data?.user) throw new Problem(401, { code: 'unauthorized', message: 'You are signed out.' });
  return state.data.user;
}

export const currentUser = queryOptions({
  queryKey: ['get', '/user/current'],
  queryFn: readUser,
  staleTime: 60_000,
});

/** Returns the signed-in user. Pages below the signed-in layout always have one. */
export const useUser = (): Schema<'User'> => useSuspenseQuery(currentUser).data;
