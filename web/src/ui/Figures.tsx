import type { ReactNode } from 'react';

export type Figure = { label: string; value: ReactNode; detail?: ReactNode };

/** The headline figures of a page, in one row. `undefined` shows a skeleton of the same height. */
export function Figures({ figures, count }: { figures: Figure[] | undefined; count: number }) {
  const cells: (Figure | undefined)[] = figures ?? Array.from({ length: count }, () => undefined);
  return (
    <div className="@container">
      <dl className="grid auto-cols-fr grid-flow-col border-y border-line max-[900px]:grid-flow-row max-[900px]:grid-cols-2">
        {cells.map((figure, index) => (
          <div
            key={figure?.label ?? index}
            className="h-[100px] min-w-0 border-line px-4 py-3.5 @4xl:px-6 not-first:border-l first:pl-0 max-[900px]:px-3 max-[900px]:odd:border-l-0 max-[900px]:odd:pl-0"
          >
            <dt className="text-xs text-ink-3">{figure?.label ?? <span className="skeleton block h-3 w-20" />}</dt>
            <dd className="num truncate text-lg leading-8 font-semibold tracking-[-0.02em] @3xl:text-xl @5xl:text-2xl">
              {figure?.value ?? <span className="skeleton mt-2 block h-5 w-36" />}
            </dd>
            <dd className="num truncate text-xs leading-6 text-ink-3">{figure?.detail}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
