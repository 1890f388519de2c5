import { CalendarDays, ChartArea, X } from 'lucide-react';
import { Suspense } from 'react';
import { day, isoDay } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { IconButton } from '~/ui/Button';
import { lazyPart } from '~/ui/lazyPart';
import { Popover } from '~/ui/Popover';
import { useDay } from './day';

const DayChoice = lazyPart(() => import('./DayChoice'));

/** The day of the pages: today, a past day, or the state as known at a time; and the switch of the scrubber. */
export function DayControl() {
  const { asOf, knownAt, past, scrubbing, set } = useDay();
  const company = useCompany();
  const label = asOf ? day(asOf) : knownAt ? knownLabel(knownAt) : 'Today';
  return (
    <div
      className={`flex h-8 items-center rounded-[7px] border ${past ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
    >
      <Popover
        label="Day"
        align="end"
        className="max-h-[80dvh] w-80 overflow-y-auto p-4"
        trigger={
          <button
            type="button"
            aria-label={`Day: ${label}`}
            className="num flex h-full items-center gap-1.5 rounded-[6px] px-2.5 hover:bg-hover"
          >
            <CalendarDays size={15} aria-hidden className="text-ink-3" />
            {label}
          </button>
        }
      >
        {() => (
          <Suspense fallback={<div className="skeleton h-40" />}>
            <DayChoice />
          </Suspense>
        )}
      </Popover>
      {past && (
        <IconButton
          label="Back to today"
          className="size-7!"
          onClick={() => set({ asOf: undefined, knownAt: undefined })}
        >
          <X size={14} aria-hidden />
        </IconButton>
      )}
      {company.can('viewCapTable') && (
        <IconButton
          label="Ownership over time"
          aria-pressed={scrubbing}
          className="size-7! aria-pressed:text-accent"
          onClick={() => set({ time: scrubbing ? undefined : 'open' })}
        >
          <ChartArea size={15} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

const knownLabel = (knownAt: string) =>
  /^[0-9]+$/.test(knownAt) ? `Entry ${knownAt}` : `As of ${day(isoDay(new Date(knownAt)))}`;
