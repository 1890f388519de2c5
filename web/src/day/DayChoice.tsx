import { useState } from 'react';
import { addDays, isoDay, today } from '~/format/dates';
import { Button } from '~/ui/Button';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { useDay } from './day';

type Preset = readonly [string, () => void];

const Presets = ({ label, presets }: { label: string; presets: Preset[] }) => (
  <div role="group" aria-label={label} className="mt-2 flex flex-wrap gap-1.5">
    {presets.map(([name, run]) => (
      <Button key={name} className="h-7! px-2! text-xs" onClick={run}>
        {name}
      </Button>
    ))}
  </div>
);

/** The fields of the day: the effective day, and the knowledge that is shown. */
export default function DayChoice() {
  return (
    <>
      <EffectiveDay />
      <hr className="my-4 border-line" />
      <KnownAt />
    </>
  );
}

/** The day at whose end the company is shown. */
function EffectiveDay() {
  const { asOf, set } = useDay();
  const now = today();
  const show = (date: string) => set({ asOf: date && date < now ? date : undefined });
  return (
    <div>
      <Field label="Effective day" help="What was true at the end of this day, with all corrections made later.">
        {(parts) => (
          <Input {...parts} type="date" max={now} value={asOf ?? now} onChange={(event) => show(event.target.value)} />
        )}
      </Field>
      <Presets
        label="Usual days"
        presets={[
          ['Today', () => set({ asOf: undefined, knownAt: undefined })],
          ['End of last month', () => show(addDays(`${now.slice(0, 8)}01`, -1))],
          ['End of last year', () => show(addDays(`${now.slice(0, 4)}-01-01`, -1))],
        ]}
      />
    </div>
  );
}

const hour = 3_600_000; // milliseconds

/** Returns a moment as the value of a field in the reader's time zone. */
function localOf(moment: string): string {
  const date = new Date(moment);
  return `${isoDay(date)}T${date.toTimeString().slice(0, 5)}`;
}

/** The moment or the entry of the journal whose knowledge is shown. */
function KnownAt() {
  const { knownAt, set } = useDay();
  const isEntry = knownAt !== undefined && /^[0-9]+$/.test(knownAt);
  const [entry, setEntry] = useState(isEntry ? knownAt : '');
  const ago = (hours: number) => () => set({ knownAt: new Date(Date.now() - hours * hour).toISOString() });
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Known at"
        help="For audits: what the records said at this moment, without corrections and entries made later."
      >
        {(parts) => (
          <Input
            {...parts}
            type="datetime-local"
            max={localOf(new Date().toISOString())}
            value={knownAt && !isEntry ? localOf(knownAt) : ''}
            onChange={(event) =>
              set({ knownAt: event.target.value ? new Date(event.target.value).toISOString() : undefined })
            }
          />
        )}
      </Field>
      <Presets
        label="Usual moments"
        presets={[
          ['An hour ago', ago(1)],
          ['Yesterday', ago(24)],
          ['A week ago', ago(24 * 7)],
        ]}
      />
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          set({ knownAt: entry || undefined });
        }}
      >
        <div className="flex-1">
          <Field label="Journal entry" optional>
            {(parts) => (
              <Input
                {...parts}
                inputMode="numeric"
                pattern="[1-9][0-9]*"
                className="num"
                value={entry}
                onChange={(event) => setEntry(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit">Show</Button>
      </form>
    </div>
  );
}
