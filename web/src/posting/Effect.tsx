import type { Schema } from '~/api/client';
import { compare, isDecimal } from '~/decimal/decimal';
import { percent, quantity } from '~/format/figures';
import { counted, words } from '~/format/words';
import { describe } from '~/journal/describe';

type Preview = Schema<'Preview'>;
type Change = { figure: string; before: string; after: string };
type Group = { name: string; changes: Change[] };
type Props = {
  preview: Preview | undefined;
  busy: boolean;
  /** Whether required fields are empty, or nothing was changed. */
  waiting: boolean;
  /** Whether the form states why there is no preview. */
  failed?: boolean;
};

/** Returns the changed figures by what they belong to: the totals, then classes, pools and holders. */
export function groupsOf({ totals, securities, pools, holders }: NonNullable<Preview['effects']>): Group[] {
  const named = new Map<string, Group>();
  for (const change of [...totals.map((one) => ({ ...one, name: 'Total' })), ...securities, ...pools, ...holders]) {
    const key = change.figure.split('/').slice(0, -1).join('/');
    const group = named.get(key) ?? { name: change.name, changes: [] };
    group.changes.push(change);
    named.set(key, group);
  }
  return [...named.values()];
}

function shown({ figure }: Change, value: string): string {
  if (!isDecimal(value)) return words(value);
  return figure.includes('percent') ? percent(value) : quantity(value);
}

function toneOf({ before, after }: Change): string {
  if (!isDecimal(before) || !isDecimal(after)) return '';
  return compare(after, before) < 0 ? 'text-neg' : 'text-pos';
}

/** The preview of a change: the events that it would record, and each changed figure before and after. */
export function Effect({ preview, busy, waiting, failed }: Props) {
  const groups = preview?.effects ? groupsOf(preview.effects) : [];
  const more = preview?.effects?.moreHolders ?? 0;
  return (
    <section aria-label="Preview" aria-busy={busy} className="rounded-[7px] bg-canvas px-4 py-3">
      <h3 className="mb-1 text-xs font-medium text-ink-3">Preview</h3>
      {preview ? (
        <div className={busy ? 'opacity-50' : undefined}>
          <ol className="flex flex-col gap-1">
            {preview.events.map((event, index) => (
              <li key={`${index} ${event.type}`}>{describe(event.type, event.data)}</li>
            ))}
          </ol>
          {groups.length > 0 && (
            <table className="mt-3 w-full border-collapse text-xs">
              <thead className="text-ink-3">
                <tr className="border-b border-line">
                  {['Figure', 'Before', 'After'].map((header, index) => (
                    <th
                      key={header}
                      scope="col"
                      className={`py-1 font-normal ${index === 0 ? 'text-left' : 'text-right'}`}
                    >
                      {header}
                    </th>
                  ))}
                </tr>
              </thead>
              {groups.map((group, index) => (
                <tbody key={`${group.name} ${index}`}>
                  <tr>
                    <th scope="rowgroup" colSpan={3} className="pt-2 text-left font-medium">
                      {group.name}
                    </th>
                  </tr>
                  {group.changes.map((change) => (
                    <tr key={change.figure} className="border-b border-line">
                      <td className="py-1 pr-2 text-ink-2">{words(change.figure.split('/').pop() ?? '')}</td>
                      <td className="num py-1 pl-2 text-right text-ink-2">{shown(change, change.before)}</td>
                      <td className={`num py-1 pl-2 text-right font-medium ${toneOf(change)}`}>
                        {shown(change, change.after)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              ))}
            </table>
          )}
          {more > 0 && <p className="mt-1 text-xs text-ink-3">and {counted(more, 'more holder')}</p>}
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
