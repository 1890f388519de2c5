import { day, moment } from '~/format/dates';
import type { Day } from './day';

/** Returns the statement of the point in time that a page shows. `undated` is the part of the day that it cannot show. */
export function pastStatement({ asOf, knownAt }: Pick<Day, 'asOf' | 'knownAt'>, undated?: 'asOf' | 'all'): string {
  if (undated === 'all') return 'This page has no past: it shows today.';
  const statements = [
    asOf &&
      (undated ? `This page has no effective day: it is not limited to ${day(asOf)}.` : `The end of ${day(asOf)}.`),
    knownAt && `As recorded up to ${/^[0-9]+$/.test(knownAt) ? `journal entry ${knownAt}` : moment(knownAt)}.`,
  ];
  return statements.filter(Boolean).join(' ');
}
