import { isDecimal } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { quantity } from '~/format/figures';
import { words } from '~/format/words';
import type { StoredRecord } from './posting';

/** Difference is a changed field of a record. Values without a short form for people, such as references, are left out. */
export type Difference = { label: string; before?: string; after?: string };

/** Fields that every change of a record sets. */
const bookkeeping = new Set(['version', 'sequence', 'updatedAt', 'recordedAt']);
const reference = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** Returns the fields in which a newer record differs from the one that a form was opened with. */
export function differences(opened: StoredRecord, newer: StoredRecord): Difference[] {
  const names = [...new Set([...Object.keys(opened), ...Object.keys(newer)])];
  return names
    .filter((name) => !bookkeeping.has(name) && JSON.stringify(opened[name]) !== JSON.stringify(newer[name]))
    .map((name) => {
      const before = shown(opened[name]);
      const after = shown(newer[name]);
      return before === undefined || after === undefined
        ? { label: words(name) }
        : { label: words(name), before, after };
    });
}

/** Returns a value for people; an en dash for none, and undefined for references and compound values. */
function shown(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toString();
  if (typeof value !== 'string' || reference.test(value)) return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return day(value);
  return isDecimal(value) ? quantity(value) : value;
}
