import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useState } from 'react';
import { noteRefusal, returned } from '~/api/session';
import { organizationQuery } from '~/shell/company';
import { currentUser } from '~/shell/user';
import { follow } from './follow';
import { notePulse } from './pulse';
import { coalesced, refresh } from './refresh';

/** LiveEvent is an event of the organization's journal as its stream announces it. */
export type LiveEvent = { sequence: number; recordedAt: string; by?: string; records: { kind: string; id: string }[] };

const soon = 150; // milliseconds in which several events cause one refresh
const interval = 1_000; // milliseconds between two refreshes

/** The latest event of each record since the page was opened, by record id. */
export const LiveContext = createContext<ReadonlyMap<string, LiveEvent>>(new Map());

/** Returns the latest event of a record that happened while the page was open; undefined without one. */
export const useChange = (record: string | undefined): LiveEvent | undefined =>
  useContext(LiveContext).get(record ?? '');

/** Follows the events of an organization, and reads the displayed data that they affect again. */
export function useLive(organization: string): ReadonlyMap<string, LiveEvent> {
  const queries = useQueryClient();
  const router = useRouter();
  const [changes, setChanges] = useState<ReadonlyMap<string, LiveEvent>>(new Map());
  useEffect(() => {
    const since = queries.getQueryData(organizationQuery(organization).queryKey)?.sequence;
    if (since === undefined) return; // the pages of a company are shown after this read
    const stop = new AbortController();
    let waiting: LiveEvent[] = [];
    const update = coalesced(
      () => {
        const events = waiting;
        const kinds = new Set(events.flatMap((event) => event.records.map((record) => record.kind)));
        waiting = [];
        setChanges((before) => withEvents(before, events));
        notePulse();
        return refresh(queries, organization, kinds);
      },
      soon,
      interval,
    );
    // The first paint does not wait for the connection. The events since the first read are sent first.
    const start = setTimeout(() =>
      follow(`/v1/organization/${organization}/event`, since, stop.signal, {
        receive: (data) => {
          waiting.push(JSON.parse(data));
          update.plan();
        },
        ended: async (status) => {
          if (status === 401) {
            noteRefusal();
            await returned(stop.signal);
            return true;
          }
          // The membership may have ended: the routes check it.
          queries.removeQueries({ queryKey: currentUser.queryKey });
          router.invalidate();
          return false;
        },
        rewound: async () => {
          await queries.invalidateQueries();
          const { sequence } = await queries.fetchQuery({ ...organizationQuery(organization), staleTime: 0 });
          return sequence;
        },
      }),
    );
    return () => {
      clearTimeout(start);
      stop.abort();
      update.stop();
    };
  }, [organization, queries, router]);
  return changes;
}

function withEvents(before: ReadonlyMap<string, LiveEvent>, events: LiveEvent[]): ReadonlyMap<string, LiveEvent> {
  const after = new Map(before);
  for (const event of events) for (const record of event.records) after.set(record.id, event);
  return after;
}
