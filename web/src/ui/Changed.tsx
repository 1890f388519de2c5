import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isPulsing } from '~/live/pulse';
import { Unbroken } from './Unbroken';

const marked = 2_000; // milliseconds

/** Returns the class of a value: a brief mark after an event of the company changed it while it was displayed. Another view marks nothing. */
export function useMark(value: string | undefined): string {
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
  return mark ? 'changed' : '';
}

/** A value with the mark of a change. */
export function Changed({ value, children }: { value: string; children?: ReactNode }) {
  const mark = useMark(value);
  return <span className={mark || undefined}>{children ?? <Unbroken text={value} />}</span>;
}
