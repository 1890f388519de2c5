import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useState } from 'react';

/** LiveEvent is an event of the organization's journal as its stream announces it. */
export type LiveEvent = { sequence: number; recordedAt: string; by?: string; records: { kind: string; id: string }[] };

const shortest = 1_000; // milliseconds before the first new connection
const longest = 30_000;
const settled = 250; // milliseconds in which several events cause one refresh

/** Reads a stream of server-sent events and calls `receive` for the data of each. Returns at its end. */
async function follow(
  url: string,
  last: string | undefined,
  signal: AbortSignal,
  receive: (id: string, data: string) => void,
) {
  const headers: Record<string, string> = { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) };
  const response = await fetch(url, { headers, signal });
  if (!response.ok || !response.body) return response.status;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return response.status;
    waiting += value;
    const blocks = waiting.split('\n\n');
    waiting = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      );
      receive(fields.get('id') ?? '', fields.get('data') ?? '');
    }
  }
}

/** Whether a query shows data of the organization. Queries name it in their key. */
const concerns = (key: readonly unknown[], organization: string) => {
  const text = JSON.stringify(key);
  return text.includes(organization) || !text.includes('/organization');
};

function refresh(queries: QueryClient, organization: string) {
  return queries.invalidateQueries({
    predicate: (query) => concerns(query.queryKey, organization),
    refetchType: 'active',
  });
}

/** The latest event of each record since the page was opened, by record id. */
export const LiveContext = createContext<ReadonlyMap<string, LiveEvent>>(new Map());

/** Returns the latest event of a record that happened while the page was open; undefined without one. */
export const useChange = (record: string | undefined): LiveEvent | undefined =>
  useContext(LiveContext).get(record ?? '');

/** Follows the events of an organization, and reads the displayed data again after each. */
export function useLive(organization: string): ReadonlyMap<string, LiveEvent> {
  const queries = useQueryClient();
  const [changes, setChanges] = useState<ReadonlyMap<string, LiveEvent>>(new Map());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    let last: string | undefined;
    const receive = (id: string, data: string) => {
      if (id) last = id;
      if (!data) return;
      const event = JSON.parse(data) as LiveEvent;
      setChanges((before) => new Map([...before, ...event.records.map((record) => [record.id, event] as const)]));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => refresh(queries, organization), settled);
    };
    const run = async () => {
      for (let wait = shortest; !stop.signal.aborted; wait = Math.min(wait * 2, longest)) {
        const started = performance.now();
        const status = await follow(`/v1/organization/${organization}/event`, last, stop.signal, receive).catch(
          () => 0,
        );
        if (status === 401 || status === 403 || status === 404) return;
        if (performance.now() - started > longest) wait = shortest;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    };
    run();
    return () => {
      stop.abort();
      clearTimeout(timer.current);
    };
  }, [organization, queries]);
  return changes;
}
