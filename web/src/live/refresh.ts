import type { QueryClient } from '@tanstack/react-query';

/** Kinds of records that few pages show, and the words in the paths of these. All other kinds concern every page. */
const places: Record<string, string[]> = {
  document: ['/document'],
  file: ['/document', '/file'],
  documentShare: ['/share'],
  webhook: ['/webhook', '/integration'],
  hookToken: ['/hook-token'],
  syncConfiguration: ['/cloud-drive', '/integration'],
  driveConnection: ['/cloud-drive', '/integration'],
};

/** Reads of one feature that no other kind of record changes. */
const apart = ['/document', '/file', '/webhook', '/integration', '/hook-token', '/cloud-drive', '/agent/'];

/**
 * Reports whether a query shows data that a change of records of some kinds can affect. Queries of a company name it in their
 * key. Entries of the journal never change, so they are read once.
 */
export function isAffected(key: readonly unknown[], organization: string, kinds: ReadonlySet<string>): boolean {
  const text = JSON.stringify(key);
  const own = text.includes(organization) || !/"\/(organization|user|captable|chat|agent)\b/.test(text);
  if (!own || text.includes('"pinned"')) return false;
  if (text.includes('/journal')) return true;
  return [...kinds].some((kind) => {
    const words = places[kind];
    return words ? words.some((word) => text.includes(word)) : !apart.some((word) => text.includes(word));
  });
}

/** Reads the affected and displayed data again. What is not displayed is read when it is shown the next time. */
export const refresh = (queries: QueryClient, organization: string, kinds: ReadonlySet<string>): Promise<void> =>
  queries.invalidateQueries(
    { predicate: ({ queryKey }) => isAffected(queryKey, organization, kinds), refetchType: 'active' },
    { cancelRefetch: false },
  );

/**
 * Returns a function that causes one run for several calls: soon after the first call, and at most once in an interval. Calls
 * during a run cause another run after it.
 */
export function coalesced(run: () => Promise<void>, soon: number, interval: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let last = Number.NEGATIVE_INFINITY;
  const begin = async () => {
    timer = undefined;
    running = true;
    again = false;
    last = performance.now();
    await run().catch(() => undefined);
    running = false;
    if (again) plan();
  };
  const plan = () => {
    again = true;
    if (running || timer !== undefined) return;
    timer = setTimeout(begin, Math.max(soon, last + interval - performance.now()));
  };
  return { plan, stop: () => clearTimeout(timer) };
}
