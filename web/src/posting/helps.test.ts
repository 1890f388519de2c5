import { expect, it } from 'vitest';
import operations from '~/api/operations.gen.json';
import { words } from '~/format/words';
import { additions, formOf } from '~/onboarding/forms';
import { catalog } from './catalog';
import { type ContractField, fieldAt, operationOf } from './contract';
import { helpFor } from './help';
import type { Posting } from './posting';

/** Words of programs: statuses of answers, names of fields and codes, and the parts of JSON. */
const technical = [
  /\b[2-5][0-9]{2}\b/,
  /\b[a-z]+[A-Z]/,
  /\b[A-Z]+_[A-Z_]+\b/,
  /\bnull\b/i,
  /\bids?\b/i,
  /\bUUID\b/,
  /\bJSON\b/,
  /`/,
  /"0\./,
];

/** Returns the help texts inside of a field. */
const inside = (field: ContractField | undefined): string[] =>
  [...(field?.fields ?? []), ...(field?.item?.fields ?? [])].flatMap((part) => [part.help ?? '', ...inside(part)]);

const helpsOf = (form: Posting): string[] =>
  form.fields.flatMap((field) => {
    const spec = typeof field === 'string' ? { name: field } : field;
    const contract = fieldAt(operationOf(form.operation), spec.name);
    const label = spec.label ?? words(spec.name.split('.').pop() ?? '');
    return [helpFor(spec, contract, label, form.title) ?? '', ...inside(contract)];
  });

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });

const forms = [
  ...Object.entries(catalog),
  ...[...additions.map(({ form }) => form), 'createOrganization', 'amendMember'].map(
    (name) => [name, formOf(name)] as const,
  ),
];

it.each(forms)('the help texts of %s speak to people', (_, form) => {
  for (const help of helpsOf(form)) for (const word of technical) expect(help).not.toMatch(word);
});

it('the help texts of other forms speak to people', () => {
  const helps = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/\bhelp(?:=|: )["']([^"'{}]+)["']/g)].map((found) => found[1] ?? ''),
  );
  expect(helps.length).toBeGreaterThan(50);
  for (const help of helps) for (const word of technical) expect(help).not.toMatch(word);
});

it('the help texts of the contract speak to people', () => {
  const all = Object.values(operations).flatMap(({ fields }) => inside({ name: '', kind: 'object', fields }));
  expect(all.filter(Boolean).length).toBeGreaterThan(100);
  for (const help of all) for (const word of technical) expect(help).not.toMatch(word);
});
