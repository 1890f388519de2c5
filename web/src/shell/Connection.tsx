import { type QueryCacheNotifyEvent, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { problemOf } from '~/api/problem';
import { Button } from '~/ui/Button';
import { retryFailed } from './retryFailed';
import { currentUser } from './user';

type State = 'good' | 'offline' | 'down' | 'back';

const pause = 3_000; // milliseconds between two attempts, and the time for which the end of an outage is shown
const unreachable = new Set([0, 502, 503, 504]);

/** Returns what an event of the queries says about the connection; undefined if it says nothing. */
export function stateOf({ type, ...event }: QueryCacheNotifyEvent): 'good' | 'down' | undefined {
  if (type !== 'updated' || !('action' in event)) return undefined;
  const { action } = event;
  if (action.type === 'success') return action.manual ? undefined : 'good';
  if (action.type !== 'failed' && action.type !== 'error') return undefined;
  return unreachable.has(problemOf(action.error).status) ? 'down' : undefined;
}

/** Follows the connection to the server. During an outage it reads the user again and again, and then all that failed. */
function useConnection() {
  const queries = useQueryClient();
  const router = useRouter();
  const [state, setState] = useState<State>(navigator.onLine ? 'good' : 'offline');
  const attempt = useCallback(
    () => void queries.fetchQuery({ ...currentUser, staleTime: 0, retry: false }).catch(() => undefined),
    [queries],
  );
  useEffect(() => {
    const offline = () => setState('offline');
    window.addEventListener('offline', offline);
    window.addEventListener('online', attempt);
    const stop = queries.getQueryCache().subscribe((event) => {
      const seen = stateOf(event);
      if (!seen || !navigator.onLine) return;
      setState((before) => {
        if (seen === 'down') return 'down';
        return before === 'down' || before === 'offline' ? 'back' : before;
      });
    });
    return () => {
      window.removeEventListener('offline', offline);
      window.removeEventListener('online', attempt);
      stop();
    };
  }, [queries, attempt]);
  useEffect(() => {
    if (state === 'down') {
      const timer = setInterval(attempt, pause);
      return () => clearInterval(timer);
    }
    if (state !== 'back') return;
    retryFailed(queries, router);
    const timer = setTimeout(() => setState('good'), pause);
    return () => clearTimeout(timer);
  }, [state, attempt, queries, router]);
  return { state, attempt };
}

/** States an outage above the page, which keeps what it shows, and the end of the outage. */
export function Connection() {
  const { state, attempt } = useConnection();
  return (
    <div role="status" className="sticky top-0 z-20 empty:hidden print:hidden">
      {state !== 'good' && (
        <div
          className={`flex min-h-10 flex-wrap items-center gap-x-3 px-8 py-1 max-[900px]:px-4 ${state === 'back' ? 'bg-pos-soft text-pos' : 'bg-warn-soft text-warn'}`}
        >
          {state === 'offline' && 'You are offline. The page shows what was loaded last, and nothing is sent.'}
          {state === 'down' && 'The server cannot be reached. The page shows what was loaded last.'}
          {state === 'back' && 'The connection is back.'}
          {state === 'down' && <Button onClick={attempt}>Try again</Button>}
        </div>
      )}
    </div>
  );
}
