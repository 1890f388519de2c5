import { useNarrow } from './useNarrow';

/** The results of a model at the upper edge of a narrow screen, where they stay while its terms are changed below. */
export function Pinned({ label, results }: { label: string; results: (readonly [string, string])[] }) {
  if (!useNarrow()) return null;
  return (
    <dl
      aria-label={label}
      className="sticky top-0 z-20 -mx-4 grid grid-flow-col border-b border-line bg-surface px-4 py-2 print:hidden"
    >
      {results.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="truncate text-xs text-ink-3">{name}</dt>
          <dd className="num truncate font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
