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

/** Returns the faults of no displayed field. */
export const otherFaults = (faults: FieldFault[], paths: string[]): FieldFault[] =>
  faults.filter((fault) => !paths.some((path) => faultAt([fault], path)));
