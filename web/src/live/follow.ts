import { readEvents } from './eventStream';

const shortest = 1_000; // milliseconds before the first new connection
const longest = 30_000;

type Handlers = {
  /** Receives the data of an event. */
  receive: (data: string) => void;
  /** Called when the session or the permission ended. The stream continues if it returns true, after a new sign-in. */
  ended: (status: number) => Promise<boolean>;
  /** Called when the journal ends before the last event, because it was restored. Returns its present end. */
  rewound: () => Promise<number | undefined>;
};

/** Follows the stream of the events after a sequence until it is stopped, and connects again after its last event. */
export async function follow(url: string, since: number, signal: AbortSignal, handlers: Handlers): Promise<void> {
  let last = since.toString();
  /** Reads the stream to its end. Returns the status, or 0 without an answer. */
  const connect = async () => {
    const response = await fetch(url, { headers: { Accept: 'text/event-stream', 'Last-Event-ID': last }, signal });
    if (!response.ok || !response.body) return response.status;
    for await (const event of readEvents(response.body)) {
      if (event.id) last = event.id;
      if (event.data) handlers.receive(event.data);
    }
    return response.status;
  };
  let wait = shortest;
  while (!signal.aborted) {
    const started = performance.now();
    const status = await connect().catch(() => 0);
    if (signal.aborted) return;
    if (status === 401 || status === 403 || status === 404) {
      if (!(await handlers.ended(status))) return;
      wait = shortest;
      continue;
    }
    if (status === 400) last = (await handlers.rewound().catch(() => undefined))?.toString() ?? last;
    wait = performance.now() - started > longest ? shortest : Math.min(wait * 2, longest);
    // A random part spreads the connections of all users after a restart of the server.
    await pause(wait * (0.5 + Math.random() / 2), signal);
  }
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
