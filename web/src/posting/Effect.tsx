import type { Schema } from '~/api/client';
import { describe } from '~/journal/describe';

type Props = { preview: Schema<'Preview'> | undefined; busy: boolean; waiting: boolean };

/** The preview of a change: the events that it would record. */
export function Effect({ preview, busy, waiting }: Props) {
  return (
    <section aria-label="Preview" aria-busy={busy} aria-live="polite" className="rounded-[7px] bg-canvas px-4 py-3">
      <h3 className="mb-1 text-xs font-medium text-ink-3">Preview</h3>
      {preview ? (
        <ol className="flex flex-col gap-1">
          {preview.events.map((event, index) => (
            <li key={index}>{describe(event.type, event.data)}</li>
          ))}
        </ol>
      ) : (
        <p className="text-ink-3">
          {waiting ? 'Complete the required fields to see the effect.' : busy ? 'Calculating…' : 'No effect.'}
        </p>
      )}
    </section>
  );
}
