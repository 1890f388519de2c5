import type { FieldFault } from '~/api/problem';
import type { Body } from './posting';

/** Returns the value at a path such as "consideration.cash". */
export function valueAt(body: Body, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Body | undefined)?.[name], body);
}

/** Returns the body with another value at a path. Empty values and objects without values are left out. */
export function withValue(body: Body, path: string, value: unknown): Body {
  const [name = '', ...rest] = path.split('.');
  const { [name]: before, ...others } = body;
  const next = rest.length > 0 ? withValue((before as Body) ?? {}, rest.join('.'), value) : value;
  return isEmpty(next) ? others : { ...body, [name]: next };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Returns the fault of a field, from the pointer of a fault such as /consideration/cash or /vestings/0/date. */
export function faultAt(faults: FieldFault[], path: string): string | undefined {
  const pointer = `/${path.replaceAll('.', '/')}`;
  return faults.find((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))?.message;
}

/** Returns the fault of a field itself, not of its parts. */
export const ownFault = (faults: FieldFault[], path: string): string | undefined =>
  faults.find((fault) => fault.pointer === `/${path.replaceAll('.', '/')}`)?.message;

/**
 * Returns an edited body for a newer record: what the user left as it was follows the record, what the user typed stays.
 * The bodies are the edited one and the initial ones of the older and of the newer record.
 */
export function rebased(edited: Body, older: Body, newer: Body): Body {
  const names = new Set([...Object.keys(edited), ...Object.keys(newer)]);
  const untouched = (name: string) => JSON.stringify(edited[name]) === JSON.stringify(older[name]);
  const entries = [...names].map((name) => [name, untouched(name) ? newer[name] : edited[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns the changed values of a body for a partial change. A removed value is null. */
export function patchOf(initial: Body, edited: Body): Body {
  const names = [...new Set([...Object.keys(initial), ...Object.keys(edited)])];
  const changed = names.filter((name) => JSON.stringify(initial[name]) !== JSON.stringify(edited[name]));
  return Object.fromEntries(changed.map((name) => [name, edited[name] ?? null]));
}

/** Returns the faults of no displayed field. */
export const otherFaults = (faults: FieldFault[], paths: string[]): FieldFault[] =>
  faults.filter((fault) => !paths.some((path) => faultAt([fault], path)));
