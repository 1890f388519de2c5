import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isPulsing } from '~/live/pulse';

const marked = 2_000; // milliseconds

/** Marks a value briefly after an event of the company changed it while it was displayed. Another view of it marks nothing. */
export function Changed({ value, children }: { value: string; children?: ReactNode }) {
  const before = useRef(value);
  const [mark, setMark] = useState(false);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (!isPulsing()) return;
    setMark(true);
    const timer = setTimeout(() => setMark(false), marked);
    return () => clearTimeout(timer);
  }, [value]);
  return <span className={mark ? 'changed' : undefined}>{children ?? value}</span>;
}
