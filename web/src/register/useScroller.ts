import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Scroller is the scrolled part of the page, as far as a register depends on it. All lengths are in pixels. */
export type Scroller = {
  /** The height of the visible part. */
  height: number;
  /** The distance of the rows from the start of the page; undefined until the first layout. */
  margin: number | undefined;
  /** The present position. */
  offset: RefObject<number>;
  /** Called after the position changed. */
  onScroll: RefObject<(() => void) | undefined>;
};

/** The part of the page that scrolls. */
export const scrollerOf = (): HTMLElement | null => document.getElementById('main');

/** Follows the position of the page, and the place of the rows in it, without forcing the layout of a new page. */
export function useScroller(grid: RefObject<HTMLElement | null>): Scroller {
  const [height, setHeight] = useState(innerHeight);
  const [margin, setMargin] = useState<number>();
  const offset = useRef(0);
  const onScroll = useRef<() => void>(undefined);
  useLayoutEffect(() => {
    const scroller = scrollerOf();
    if (!scroller) return;
    const follow = () => {
      offset.current = scroller.scrollTop;
      onScroll.current?.();
    };
    const measure = () => {
      const body = grid.current?.lastElementChild;
      offset.current = scroller.scrollTop;
      setHeight(scroller.clientHeight);
      if (body) setMargin(body.getBoundingClientRect().top - scroller.getBoundingClientRect().top + offset.current);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    if (scroller.firstElementChild) observer.observe(scroller.firstElementChild);
    scroller.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', follow);
    };
  }, [grid]);
  return { height, margin, offset, onScroll };
}
