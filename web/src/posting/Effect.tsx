import type { Schema } from '~/api/client';
import { isNegative, subtract } from '~/decimal/decimal';
import { percent, quantity } from '~/format/figures';
import { words } from '~/format/words';
import { describe } from '~/journal/describe';

type Preview = Schema<'Preview'>;
type Change = { figure: string; name: string; before: string; after: string };
type Props = { preview: Preview | undefined; busy: boolean; waiting: boolean };

/** Returns all changed figures, totals first. */
function changesOf(effects: NonNullable<Preview['effects']>): Change[] {
  const part = (figure: string) => words(figure.split('/').pop() ?? '').toLowerCase();
  const named = (change: { figure: string; name: string; before: string; after: string }) => ({
    ...change,
    name: `${change.name}, ${part(change.figure)}`,
  });
  return [
    ...effects.totals.map((change) => ({ ...change, name: `Total ${part(change.figure)}` })),
    ...effects.securities.map(named),
    ...effects.pools.map(named),
    ...effects.holders.map(named),
  ];
}

const shown = (change: Change, value: string) => (change.figure.includes('percent') ? percent(value) : quantity(value));

/** The preview of a change: the events that it would record, and each changed figure before and after. */
export function Effect({ preview, busy, waiting }: Props) {
  const changes = preview?.effects ? changesOf(preview.effects) : [];
  const more = preview?.effects?.moreHolders ?? 0;
  return (
    <section aria-label="Preview" aria-busy={busy} className="rounded-[7px] bg-canvas px-4 py-3">
      <h3 className="mb-1 text-xs font-medium text-ink-3">Preview</h3>
      {preview ? (
        <>
          <ol className="flex flex-col gap-1">
            {preview.events.map((event, index) => (
              <li key={`${index} ${event.type}`}>{describe(event.type, event.data)}</li>
            ))}
          </ol>
          {changes.length > 0 && (
            <table className="mt-3 w-full border-collapse text-xs">
              <thead className="text-ink-3">
                <tr className="border-b border-line">
                  <th scope="col" className="py-1 text-left font-normal">
                    Figure
                  </th>
                  <th scope="col" className="py-1 text-right font-normal">
                    Before
                  </th>
                  <th scope="col" className="py-1 text-right font-normal">
                    After
                  </th>
                </tr>
              </thead>
              <tbody>
                {changes.map((change) => (
                  <tr key={change.figure} className="border-b border-line">
                    <td className="py-1 pr-2">{change.name}</td>
                    <td className="num py-1 pl-2 text-right text-ink-2">{shown(change, change.before)}</td>
                    <td
                      className={`num py-1 pl-2 text-right font-medium ${isNegative(subtract(change.after, change.before)) ? 'text-neg' : 'text-pos'}`}
                    >
                      {shown(change, change.after)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {more > 0 && <p className="mt-1 text-xs text-ink-3">and {more} more holders</p>}
        </>
      ) : (
        <p className="text-ink-3">
          {waiting ? 'Complete the required fields to see the effect.' : busy ? 'Calculating…' : 'No effect.'}
        </p>
      )}
    </section>
  );
}
