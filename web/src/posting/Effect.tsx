import type { Schema } from '~/api/client';
import { day } from '~/format/dates';
import { counted } from '~/format/words';
import { describe, effectiveDay } from '~/journal/describe';
import { Unbroken } from '~/ui/Unbroken';
import { EffectTable, groupsOf, movesShares } from './EffectTable';
import { Forfeitures } from './Forfeitures';
import type { StoredRecord } from './posting';
import type { RecordKind } from './records';
import { useEventNames } from './useEventNames';

type Props = {
  /** The kind of the changed record and the record, if the form changes one. */
  kind?: RecordKind;
  record?: StoredRecord;
  preview: Schema<'Preview'> | undefined;
  busy: boolean;
  /** Whether there is no preview before the user types: fields are empty, or nothing was changed. */
  waiting: boolean;
  /** Whether the form states why there is no preview. */
  failed?: boolean;
};

const nothing: Schema<'PreviewEvent'>[] = [];

/** The preview of a change: the events that it would record with their days, and each changed figure before and after. */
export function Effect({ kind, record, preview, busy, waiting, failed }: Props) {
  const events = preview?.events ?? nothing;
  const { names, currency } = useEventNames(kind, record, events);
  const groups = preview?.effects ? groupsOf(preview.effects) : [];
  const direct = groups.filter(movesShares);
  const others = groups.filter((group) => !movesShares(group));
  const more = preview?.effects?.moreHolders ?? 0;
  return (
    <section aria-label="Preview" aria-busy={busy} className="rounded-[7px] bg-canvas px-4 py-3">
      <h3 className="mb-1 text-xs font-medium text-ink-3">Preview</h3>
      {preview ? (
        <div className={busy ? 'opacity-50' : undefined}>
          <ol className="flex flex-col gap-1">
            {events.map((event, index) => {
              const effective = effectiveDay(event.data);
              return (
                <li key={`${index} ${event.type}`}>
                  <Unbroken text={describe(event.type, event.data, names, currency)} />
                  {event.authorGains && (
                    <span className="ml-2 text-xs whitespace-nowrap text-neg">you gain by this entry</span>
                  )}
                  {effective && <span className="num ml-2 text-xs whitespace-nowrap text-ink-3">{day(effective)}</span>}
                </li>
              );
            })}
          </ol>
          <Forfeitures events={events} />
          {direct.length > 0 && <EffectTable label="Changed figures" groups={direct} />}
          {more > 0 && <p className="mt-1 text-xs text-ink-3">and {counted(more, 'more holder')}</p>}
          {others.length > 0 && (
            <details className="mt-2 text-xs">
              <summary className="cursor-default text-ink-2 hover:text-ink">Percentages of the others</summary>
              <EffectTable label="Percentages of the others" groups={others} />
            </details>
          )}
        </div>
      ) : (
        <p className="text-ink-3" aria-live="polite">
          {waiting
            ? 'Complete the form to see the effect.'
            : busy
              ? 'Calculating…'
              : failed
                ? 'No preview.'
                : 'No effect.'}
        </p>
      )}
    </section>
  );
}
