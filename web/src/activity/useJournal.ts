import { useInfiniteQuery } from '@tanstack/react-query';
import { client, type Schema } from '~/api/client';

const pageSize = 100;

/** Reads the journal, newest first, page by page. */
export const useJournal = (organization: string, filter: { type?: string; by?: string }) =>
  useInfiniteQuery({
    queryKey: ['get', '/organization/{organization}/journal', organization, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...filter, ...(pageParam && { cursor: pageParam }) };
      const params = { path: { organization }, query };
      return (await client.GET('/organization/{organization}/journal', { params, signal }))
        .data as Schema<'JournalPage'>;
    },
    getNextPageParam: (last) => last.nextCursor,
    select: (loaded) => loaded.pages.flatMap((page) => page.data),
  });
