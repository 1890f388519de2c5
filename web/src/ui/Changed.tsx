import { type ReactNode, useEffect, useRef, useState } from 'react';

const marked = 2_000; // milliseconds

/** Marks a value briefly after it changed while it was displayed, for example by another user. */
export function Changed({ value, children }: { value: string; children?: ReactNode }) {
  const before = useRef(value);
  const [mark, setMark] = useState(false);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    setMark(true);
    const timer = setTimeout(() => setMark(false), marked);
    return () => clearTimeout(timer);
  }, [value]);
  return <span className={mark ? 'changed' : undefined}>{children ?? value}</span>;
}
