import { useMatches } from '@tanstack/react-router';
import { useDay } from './day';
import { pastStatement } from './pastStatement';

/** States that the page shows the past, where nothing can be changed, and the parts of the day that it cannot show. */
export function PastNotice() {
  const day = useDay();
  const undated = useMatches({ select: (matches) => matches.at(-1)?.staticData.undated });
  if (!day.past) return null;
  return (
    <p
      role="status"
      className="sticky print:static top-0 z-20 flex items-center gap-3 bg-accent-soft px-8 py-1.5 max-[900px]:px-4"
    >
      <span>{pastStatement(day, undated)} Changes are off.</span>
      <button
        type="button"
        className="shrink-0 print:hidden font-medium text-accent hover:underline"
        onClick={() => day.set({ asOf: undefined, knownAt: undefined })}
      >
        Back to today
      </button>
    </p>
  );
}
