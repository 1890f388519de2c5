/** Line is a row in the document. Its slot is the key of its elements, which show another row after it left the document. */
export type Line = { index: number; slot: number };

const around = 216; // pixels above and below the visible part in which rows exist

/** Returns the number of rows above and below the visible part. */
export const beyond = (height: number): number => Math.ceil(around / height);

/** Returns the number of slots for a number of visible rows of a height: the largest number of rows of a range. */
export const slotsFor = (visible: number, height: number): number => visible + 1 + 2 * beyond(height);

/**
 * Returns the rows that exist in the document, from `first` up to but without `end`. `top` is the row at the upper edge of the visible
 * part; it is negative while the edge is above the rows.
 */
export function rangeOf(top: number, visible: number, height: number, rows: number): { first: number; end: number } {
  const more = beyond(height);
  const end = Math.min(rows, Math.max(more, top + visible + 1 + more));
  const first = Math.max(0, Math.min(top - more, end - visible - 1 - more));
  return { first, end };
}

/**
 * Returns the lines of a range in the order of the document. While the register scrolls, `origin` and therefore the place of each slot in
 * the document stay the same, so that only the contents and the positions of elements change. `kept` is a row that stays in the document
 * outside the range, because it has the focus.
 */
export function linesOf(range: { first: number; end: number }, slots: number, origin: number, kept?: number): Line[] {
  const placed: { order: number; line: Line }[] = [];
  const outside = kept !== undefined && (kept < range.first || kept >= range.end) ? kept : undefined;
  for (let index = range.first; index < range.end; index++) {
    const slot = index % slots;
    const free = outside === undefined || outside % slots !== slot;
    const order = (((index - origin) % slots) + slots) % slots;
    placed.push({ order, line: { index, slot: free ? slot : slots } });
  }
  if (outside !== undefined) {
    const order = Math.max(-1, Math.min(slots, outside - origin));
    placed.push({ order, line: { index: outside, slot: outside % slots } });
  }
  return placed.sort((a, b) => a.order - b.order).map(({ line }) => line);
}
