import type { Schema } from '~/api/client';
import { ratio } from '~/decimal/geometry';
import { cell } from '~/format/figures';

/** A pool with its exercised, outstanding and available options as a bar. */
export function PoolBar({ pool }: { pool: Schema<'Pool'> }) {
  const parts = [
    ['Exercised', pool.exercised, 'var(--c-common)'],
    ['Outstanding', pool.outstanding, 'var(--c-options)'],
    ['Available', pool.available, 'color-mix(in oklab, var(--c-options) 30%, var(--surface))'],
  ] as const;
  return (
    <div className="py-2">
      <p className="mb-1 flex justify-between">
        <span className="font-medium">{pool.name}</span>
        <span className="num text-ink-2">{cell(pool.totalShares)} reserved</span>
      </p>
      <div aria-hidden className="flex h-2 overflow-hidden rounded-full bg-active">
        {parts.map(([name, value, color]) => (
          <span key={name} style={{ width: `${ratio(value, pool.totalShares) * 100}%`, background: color }} />
        ))}
      </div>
      <dl className="mt-1 flex flex-wrap gap-x-4 text-xs text-ink-2">
        {parts.map(([name, value, color]) => (
          <div key={name} className="flex items-center gap-1.5">
            <dt className="flex items-center gap-1.5 text-ink-3">
              <span aria-hidden className="size-2 rounded-[2px]" style={{ background: color }} />
              {name}
            </dt>
            <dd className="num">{cell(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
