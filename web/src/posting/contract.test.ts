import { describe, expect, it } from 'vitest';
import operations from '~/api/operations.gen.json';
import type { ContractField } from './contract';
import { posting } from './posting';

type Field = { name: string; kind: string };

/** Operations that create a record, and that change some of its fields. */
const pairs = [
  ['issueShareholding', 'amendShareholding'],
  ['createHolding', 'amendHolding'],
  ['createLegend', 'amendLegend'],
  ['addMember', 'amendMember'],
  ['createOrganization', 'amendOrganization'],
] as const;

const kindsOf = (id: (typeof pairs)[number][number]) =>
  Object.fromEntries((operations[id].fields as Field[]).map(({ name, kind }) => [name, kind]));

describe('forms of changes', () => {
  it.each(pairs)('the fields of %s have the same inputs in %s', (creates, amends) => {
    const created = kindsOf(creates);
    const amended = Object.entries(kindsOf(amends)).filter(([name]) => name in created);
    expect(amended.length).toBeGreaterThan(0);
    expect(Object.fromEntries(amended)).toEqual(Object.fromEntries(amended.map(([name]) => [name, created[name]])));
  });
});

/** Names of percentages. A fraction with a numerator and a denominator is an object, and that of a condition a list. */
const percentages = /(?:rate|discount|coverage|target|fraction|percent)$/i;

const placesOf = (fields: ContractField[], at: string): [place: string, kind: string][] =>
  fields.flatMap((field) => {
    const place = `${at}.${field.name}`;
    const parts = [...(field.fields ?? []), ...(field.item?.fields ?? [])];
    const own: [string, string][] = percentages.test(field.name) && parts.length === 0 ? [[place, field.kind]] : [];
    return [...own, ...placesOf(parts, place)];
  });

it('types every percentage as a percentage', () => {
  const found = Object.entries(operations).flatMap(([id, operation]) => placesOf(operation.fields, id));
  const others = found.filter(([, kind]) => kind !== 'fraction' && kind !== 'array');
  expect(found.length).toBeGreaterThan(20);
  expect(others).toEqual([]);
});

it('the compiler refuses a field that the operation does not have', () => {
  const form = { title: 'Accept', action: () => 'Accept', done: () => 'Accepted' };
  posting({ ...form, operation: 'acceptShareholding', fields: ['date'] });
  // @ts-expect-error a shareholding is accepted on a date
  posting({ ...form, operation: 'acceptShareholding', fields: ['day'] });
  // @ts-expect-error a pool has no such field
  posting({ ...form, operation: 'createPlan', fields: [{ name: 'pools.price' }] });
  // @ts-expect-error a form of its own says so
  posting({ ...form, operation: 'deleteVestingSchedule', fields: [{ name: 'plan' }] });
});
