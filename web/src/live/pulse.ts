const fresh = 4_000; // milliseconds in which a changed value is the effect of an event

let latest = Number.NEGATIVE_INFINITY;

/** Notes that an event of the company arrived. */
export function notePulse(): void {
  latest = performance.now();
}

/** Reports whether an event arrived just now, so that a value that changes is its effect and not that of another view. */
export const isPulsing = (): boolean => performance.now() - latest < fresh;
