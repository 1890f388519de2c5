import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { client, type Schema } from '~/api/client';
import { problemOf } from '~/api/problem';
import type { Origin } from '~/journal/origins';

export type Entry = Schema<'JournalEntry'>;
type Page = Schema<'JournalPage'>;

/** The filter of the journal. `from` and `to` are dates of the reader. */
export type JournalFilter = {
  type?: string;
  by?: string;
  origin?: Origin;
  authorGains?: true;
  from?: string;
  to?: string;
  knownAt?: string;
};

const path = '/organization/{organization}/journal';
const pageSize = 100;

/** Reads a page. There is none before the first event of the company. */
async function read(organization: string, query: Record<string, unknown>, signal: AbortSignal): Promise<Page> {
  const params = { path: { organization }, query };
  try {
    return (await client.GET(path, { params, signal })).data as Page;
  } catch (error) {
    if (problemOf(error).status === 404 && query.knownAt) return { data: [] };
    throw error;
  }
}

const startOf = (date: string) => new Date(`${date}T00:00:00`).toISOString();
const endOf = (date: string) => new Date(`${date}T23:59:59.999`).toISOString();

/**
 * Reads the journal, newest first, page by page, back to the beginning of the period. Entries never change, so the pages are
 * read once. Only the newest entries are read again after an event.
 */
export function useJournal(organization: string, { type, by, origin, authorGains, from, to, knownAt }: JournalFilter) {
  const queries = useQueryClient();
  const start = from && startOf(from);
  const until = knownAt ?? (to && endOf(to));
  const inPeriod = (entry: Entry) => !start || Date.parse(entry.recordedAt) >= Date.parse(start);
  const key = ['get', path, organization, { type, by, origin, authorGains, start, until }];
  const pages = useInfiniteQuery({
    queryKey: [...key, 'pinned'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: pageSize,
        type,
        by,
        origin,
        authorGains,
        ...(pageParam ? { cursor: pageParam } : { knownAt: until }),
      };
      return read(organization, query, signal);
    },
    getNextPageParam: (last) => (last.data.every(inPeriod) ? last.nextCursor : undefined),
    select: (loaded: InfiniteData<Page>) => loaded.pages.flatMap((page) => page.data).filter(inPeriod),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const newest = pages.data?.[0]?.sequence ?? 0;
  const { data: head } = useQuery({
    queryKey: [...key, newest],
    queryFn: ({ signal }) => read(organization, { limit: pageSize, type, by, origin, authorGains }, signal),
    initialData: { data: [] },
    enabled: pages.isSuccess && until === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entries = useMemo(() => {
    const added = head.data.filter((entry) => entry.sequence > newest);
    return [...added, ...(pages.data ?? [])];
  }, [head.data, newest, pages.data]);
  const gap = head.data.length === pageSize && (head.data.at(-1)?.sequence ?? 0) > newest;
  useEffect(() => {
    if (gap) queries.resetQueries({ queryKey: [...key, 'pinned'] });
  });
  return { ...pages, entries };
}

/** Reads one entry. */
export const useEntry = (organization: string, sequence: string | undefined) =>
  useQuery({
    queryKey: ['get', path, organization, 'pinned', sequence],
    queryFn: async ({ signal }) =>
      (await read(organization, { limit: 1, knownAt: sequence }, signal)).data.find(
        (entry) => entry.sequence.toString() === sequence,
      ) ?? null,
    enabled: sequence !== undefined && /^[1-9][0-9]{0,15}$/.test(sequence),
    staleTime: Number.POSITIVE_INFINITY,
  });
