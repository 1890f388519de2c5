import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Line, linesOf, rangeOf, slotsFor } from './lines';
import { type Scroller, scrollerOf } from './useScroller';

const pause = 150; // milliseconds without scrolling, after which the lines are put in order
const header = 84; // pixels that the sticky header covers

/**
 * Returns the lines that exist in the document, and a function that scrolls until a row is visible. `settled` changes after
 * each pause, when the order of the document is that of the rows again.
 */
export function useLines(rows: number, rowHeight: number, scroller: Scroller, kept: number | undefined) {
  const { offset, onScroll, height, margin } = scroller;
  const [, render] = useReducer((times: number) => times + 1, 0);
  const [settled, setSettled] = useState({ origin: 0 });
  const slots = useRef(0);
  const drawn = useRef(0);
  const scrolled = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const visible = Math.ceil(height / rowHeight);
  slots.current = Math.max(slots.current, slotsFor(visible, rowHeight));
  const top = useCallback(() => Math.floor((offset.current - (margin ?? 0)) / rowHeight), [offset, margin, rowHeight]);
  // Without a layout only the first rows are rendered: the register may begin below the visible part.
  const range = rangeOf(margin === undefined ? -visible - 1 : top(), visible, rowHeight, rows);
  const first = useRef(0);
  useLayoutEffect(() => {
    drawn.current = top();
    first.current = range.first;
  });
  useLayoutEffect(() => {
    const settle = () => {
      const rest = scrolled.current + pause - performance.now();
      timer.current = rest > 0 ? setTimeout(settle, rest) : undefined;
      if (rest <= 0) setSettled({ origin: first.current });
    };
    onScroll.current = () => {
      if (top() === drawn.current) return;
      scrolled.current = performance.now();
      timer.current ??= setTimeout(settle, pause);
      flushSync(render); // in the frame of the scroll event
    };
  }, [onScroll, top]);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** Scrolls as far as necessary to show a row. Its line exists afterwards. */
  const show = (index: number) => {
    const part = scrollerOf();
    if (!part) return;
    const above = (margin ?? 0) + index * rowHeight;
    const from = part.scrollTop;
    if (above - header < from) part.scrollTop = above - header;
    else if (above + rowHeight > from + part.clientHeight) part.scrollTop = above + rowHeight - part.clientHeight;
    offset.current = part.scrollTop;
    if (top() !== drawn.current) onScroll.current?.();
  };
  const lines: Line[] = linesOf(range, slots.current, settled.origin, kept);
  return { lines, show, settled };
}
