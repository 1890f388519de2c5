import { CalendarDays, X } from 'lucide-react';
import { day, today } from '~/format/dates';
import { IconButton } from '~/ui/Button';
import { useDay } from './day';

/** The day of the page: today, or a past day. */
export function DayControl() {
  const { asOf, date, past, set } = useDay();
  return (
    <div
      className={`flex h-8 items-center rounded-[7px] border px-2 ${past ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
    >
      <CalendarDays size={15} aria-hidden className="mr-1.5 text-ink-3" />
      <input
        type="date"
        aria-label="Day"
        title={day(date)}
        className="num bg-transparent outline-none"
        value={asOf ?? today()}
        max={today()}
        onChange={(event) =>
          set({ asOf: event.target.value && event.target.value !== today() ? event.target.value : undefined })
        }
      />
      {past && (
        <IconButton
          label="Back to today"
          className="size-6!"
          onClick={() => set({ asOf: undefined, knownAt: undefined })}
        >
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
