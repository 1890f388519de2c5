import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { filled, readJson } from './read';
import type { paths } from './schema';

type Page<Item> = { data: Item[]; nextCursor?: string };
type JsonOf<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** ListPath is a path of the contract whose GET answers a page of records. */
export type ListPath = {
  [P in keyof paths]: JsonOf<P> extends { data: unknown[] } ? P : never;
}[keyof paths];

/** Item is a record of the list at a path. */
export type Item<P extends ListPath> = JsonOf<P> extends { data: (infer Row)[] } ? Row : never;

/** Parameters are the path and query parameters of a list. */
export type Parameters = { path?: Record<string, string>; query?: Record<string, unknown> };

const pageSize = 200;

/** List holds the loaded rows of a list. `complete` is false while further pages load. */
export type List<Row> = { rows: Row[]; loading: boolean; complete: boolean; error: unknown; refetch: () => void };

/** Returns the query of the pages of a list. */
export const listQuery = <P extends ListPath>(path: P, parameters: Parameters = {}) =>
  infiniteQueryOptions({
    queryKey: ['get', path, parameters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<Page<Item<P>>> => {
      const query = { limit: pageSize, ...parameters.query, cursor: pageParam };
      return (await readJson(filled(path, parameters.path), query, signal)).body;
    },
    getNextPageParam: (last) => last.nextCursor,
  });

/**
 * Loads all pages of a list. Rows of the first pages are available before the last page. With an interval, in milliseconds, the pages are
 * read again and again.
 */
export function useList<P extends ListPath>(
  path: P,
  parameters: Parameters = {},
  enabled = true,
  refetchInterval?: number,
): List<Item<P>> {
  const query = useInfiniteQuery({
    ...listQuery(path, parameters),
    enabled,
    refetchInterval,
    select: (loaded) => loaded.pages.flatMap((page) => page.data),
  });
  const { hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching) fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return {
    rows: query.data ?? [],
    loading: query.isPending && enabled,
    complete: !query.hasNextPage && !query.isPending,
    error: query.error,
    refetch: query.refetch,
  };
}
