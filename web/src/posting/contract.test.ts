import { describe, expect, it } from 'vitest';
import operations from '~/api/operations.gen.json';

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
