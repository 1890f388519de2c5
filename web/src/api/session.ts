const events = new EventTarget();

/** Notes that the server refused a request for want of a session. */
export const noteRefusal = () => events.dispatchEvent(new Event('refusal'));

/** Notes that the user signed in again. */
export const noteReturn = () => events.dispatchEvent(new Event('return'));

/** Calls the listener for each noted refusal until the returned function is called. */
export function onRefusal(listener: () => void): () => void {
  events.addEventListener('refusal', listener);
  return () => events.removeEventListener('refusal', listener);
}

/** Resolves when the user signs in again. It never does after the signal. */
export const returned = (signal: AbortSignal) =>
  new Promise<void>((resolve) => events.addEventListener('return', () => resolve(), { once: true, signal }));
