import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

const tones: Record<Tone, string> = {
  neutral: 'bg-active text-ink-2',
  good: 'bg-pos-soft text-pos',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-neg-soft text-neg',
  accent: 'bg-accent-soft text-accent',
};

/** A state in one or two words. */
export const Chip = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={`inline-flex h-5 items-center rounded-[5px] px-1.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
  >
    {children}
  </span>
);

/** A square in a data colour. */
export const Swatch = ({ color }: { color: string }) => (
  <span className="inline-block size-2 shrink-0 rounded-[2px]" style={{ background: color }} />
);
