import { Popover } from '@base-ui/react/popover';
import { CalendarDays, ChartArea, X } from 'lucide-react';
import { useState } from 'react';
import { day, moment, today } from '~/format/dates';
import { useCompany } from '~/shell/company';
import { Button, IconButton } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { useDay } from './day';

/** The day of the pages: today, a past day, or the state as known at a time; and the switch of the scrubber. */
export function DayControl() {
  const { asOf, knownAt, past, scrubbing, set } = useDay();
  const company = useCompany();
  const label = asOf ? day(asOf) : knownAt ? 'Known then' : 'Today';
  return (
    <div
      className={`flex h-8 items-center rounded-[7px] border ${past ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
    >
      <Popover.Root>
        <Popover.Trigger
          aria-label={`Day: ${label}`}
          className="num flex h-full items-center gap-1.5 rounded-[6px] px-2.5 hover:bg-hover"
        >
          <CalendarDays size={15} aria-hidden className="text-ink-3" />
          {label}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner sideOffset={6} align="end" className="z-60">
            <Popover.Popup className="pop w-72 p-4 outline-none">
              <Popover.Title className="sr-only">Day</Popover.Title>
              <Choice />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
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

/** The fields of the popover. */
function Choice() {
  const { asOf, knownAt, set } = useDay();
  const [known, setKnown] = useState(knownAt ?? '');
  const presets = [
    ['Today', undefined],
    ['End of last month', `${today().slice(0, 8)}01`],
    ['End of last year', `${today().slice(0, 4)}-01-01`],
  ] as const;
  const dayBefore = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return (
    <div className="flex flex-col gap-4">
      <Field label="Effective day" help="The company at the end of this day, as known today.">
        {(parts) => (
          <Input
            {...parts}
            type="date"
            max={today()}
            value={asOf ?? today()}
            onChange={(event) =>
              set({ asOf: event.target.value && event.target.value < today() ? event.target.value : undefined })
            }
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-1.5">
        {presets.map(([label, date]) => (
          <Button
            key={label}
            className="h-7! text-xs"
            onClick={() => set({ asOf: date && dayBefore(date), knownAt: undefined })}
          >
            {label}
          </Button>
        ))}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          set({ knownAt: known || undefined });
        }}
      >
        <Field
          label="Known at"
          help="For audits: the records as they were at a time or at a journal entry, without later corrections."
          optional
        >
          {(parts) => (
            <div className="flex gap-2">
              <Input
                {...parts}
                className="num"
                placeholder="2026-03-01T12:00:00Z or 120"
                value={known}
                onChange={(event) => setKnown(event.target.value)}
              />
              <Button type="submit">Set</Button>
            </div>
          )}
        </Field>
        {knownAt && !/^[0-9]+$/.test(knownAt) && <p className="mt-1 text-xs text-ink-3">{moment(knownAt)}</p>}
      </form>
    </div>
  );
}
