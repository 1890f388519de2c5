import type { Schema } from '~/api/client';
import { compare, isDecimal } from '~/decimal/decimal';
import { percent, quantity } from '~/format/figures';
import { words } from '~/format/words';

type Effects = NonNullable<Schema<'Preview'>['effects']>;
type Change = { figure: string; before: string; after: string };
type Group = { key: string; name: string; changes: Change[] };

/** Returns the changed figures by what they belong to: the totals, then holders, classes and pools. */
export function groupsOf({ totals, securities, pools, holders }: Effects): Group[] {
  const named = new Map<string, Group>();
  const all = [
    ...totals.map((one) => ({ ...one, name: 'Total' })),
    ...holders,
    ...securities,
    ...pools.map((one) => ({ ...one, name: `Pool ${one.name}` })),
  ];
  for (const change of all) {
    const key = change.figure.split('/').slice(0, -1).join('/');
    const group = named.get(key) ?? { key, name: change.name, changes: [] };
    group.changes.push(change);
    named.set(key, group);
  }
  return [...named.values()];
}

const isPercentage = ({ figure }: Change) => figure.includes('/percent');

/** Reports whether a group has a changed number of shares, and not only percentages that follow from other changes. */
export const movesShares = (group: Group): boolean => group.changes.some((change) => !isPercentage(change));

function shown(change: Change, value: string): string {
  if (!isDecimal(value)) return words(value);
  return isPercentage(change) ? percent(value) : quantity(value);
}

function toneOf({ before, after }: Change): string {
  if (!isDecimal(before) || !isDecimal(after)) return '';
  return compare(after, before) < 0 ? 'text-neg' : 'text-pos';
}

const partOf = ({ figure }: Change) =>
  words(figure.split('/').pop() ?? '')
    .toLowerCase()
    .replace('percent', '%');

/** Changed figures, each before and after. */
export function EffectTable({ label, groups }: { label: string; groups: Group[] }) {
  return (
    <table className="mt-3 w-full border-collapse text-xs">
      <caption className="sr-only">{label}</caption>
      <thead className="text-ink-3">
        <tr className="border-b border-line">
          {['Figure', 'Before', 'After'].map((header, index) => (
            <th key={header} scope="col" className={`py-1 font-normal ${index === 0 ? 'text-left' : 'text-right'}`}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.key}>
          <tr>
            <th scope="rowgroup" colSpan={3} className="pt-2 text-left font-medium">
              {group.name}
            </th>
          </tr>
          {group.changes.map((change) => (
            <tr key={change.figure} className="border-b border-line">
              <td className="py-1 pr-2 text-ink-2">
                <span className="sr-only">{group.name} </span>
                <span className="inline-block first-letter:uppercase">{partOf(change)}</span>
              </td>
              <td className="num py-1 pl-2 text-right text-ink-2">{shown(change, change.before)}</td>
              <td className={`num py-1 pl-2 text-right font-medium ${toneOf(change)}`}>
                {shown(change, change.after)}
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
