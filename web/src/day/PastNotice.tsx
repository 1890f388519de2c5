import { day, moment } from '~/format/dates';
import { useDay } from './day';

/** States that the page shows the past, where nothing can be changed. */
export function PastNotice() {
  const { past, date, asOf, knownAt, set } = useDay();
  if (!past) return null;
  return (
    <p role="status" className="sticky top-0 z-20 flex items-center gap-3 bg-accent-soft px-8 py-1.5 max-[900px]:px-4">
      <span>
        {asOf && `The end of ${day(date)}. `}
        {knownAt && `As recorded up to ${/^[0-9]+$/.test(knownAt) ? `journal entry ${knownAt}` : moment(knownAt)}. `}
        Changes are off.
      </span>
      <button
        type="button"
        className="font-medium text-accent hover:underline"
        onClick={() => set({ asOf: undefined, knownAt: undefined })}
      >
        Back to today
      </button>
    </p>
  );
}
