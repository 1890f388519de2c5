import { type RefCallback, type RefObject, useCallback, useLayoutEffect, useState } from 'react';

/** Calls back with the width of an element, at once and after each change. Returns the end of it. */
function observe(element: HTMLElement, set: (width: number) => void): () => void {
  set(element.clientWidth);
  const observer = new ResizeObserver(() => set(element.clientWidth));
  observer.observe(element);
  return () => observer.disconnect();
}

/** Returns the width of an element, also after it changed. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => (element.current ? observe(element.current, setWidth) : undefined), [element]);
  return width;
}

/** Returns a ref for an element that may appear later, and its width; 0 before it is known. */
export function useMeasured(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((element: HTMLElement | null) => (element ? observe(element, setWidth) : undefined), []);
  return [ref, width];
}
