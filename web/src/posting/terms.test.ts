import { describe, expect, it } from 'vitest';
import type { Schema } from '~/api/client';
import { bodyOf, termsOf as termsOfRound } from '~/rounds/terms';
import { withRights } from '~/shell/company';
import { withValue } from './body';
import { catalog } from './catalog';
import { type ContractField, fieldAt, labelOf, operationOf } from './contract';
import type { Body, Context, FieldSpec, Posting } from './posting';
import { termsOf } from './terms';

type Detail = Schema<'PreviewDetail'>;

const company = withRights({ id: 'org', currency: 'USD' } as Schema<'Organization'>);
const context: Context = { company, record: undefined, today: '2026-02-01', address: {} };

/** Returns the arguments of a body as the server answers them: each value with its pointer. */
function detailsOf(value: unknown, pointer = ''): Detail[] {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, part]) => detailsOf(part, `${pointer}/${name}`));
  return [{ pointer, label: `Server's ${pointer}`, value: `"${String(value)}"` }];
}

const specsOf = (posting: Posting) =>
  posting.fields.map((field): FieldSpec => (typeof field === 'string' ? { name: field } : field));

function shown(name: string, sent: Body, details = detailsOf(sent)): string[] {
  const posting = catalog[name] as Posting;
  const terms = termsOf(details, posting, specsOf(posting), context, sent);
  return terms.map((term) => `${term.label} = ${term.value}`);
}

describe('terms of a preview', () => {
  it('lists every term of a note in the words and the order of its form', () => {
    const sent = {
      kind: 'convertibleNote',
      discount: '0.2',
      interest: { rates: [{ rate: '0.0825', from: '2026-02-01' }], dayCount: '30_360' },
      principal: { amount: '250000', currency: 'EUR' },
      capBasis: 'pre',
      valuationCap: '8000000',
      organization: 'org',
      comments: ['First.', 'Second.'],
    };
    const details = detailsOf(sent).map((one) =>
      one.pointer === '/valuationCap' ? { ...one, mark: 'price' as const } : one,
    );
    expect(shown('createNote', sent, details)).toEqual([
      'Principal = €250,000.00',
      'Interest: rate = 8.25%',
      'Interest: from = 01 Feb 2026',
      'Interest: day count = 30/360',
      'Valuation cap = €8,000,000.00',
      'Cap basis = Pre-money',
      'Discount = 20%',
      'Note 1 = First.',
      'Note 2 = Second.',
      'Kind = Convertible note',
    ]);
  });

  it('lists the terms of a round that were entered in the model', () => {
    const terms = { ...termsOfRound({}), pool: '0.125', investments: [{ name: 'Ada', amount: '10' }] };
    expect(shown('closeRound', { ...bodyOf(terms), confirm: 'digest', block: { name: 'Series A' } })).toEqual([
      'New class = New preferred',
      'Pre-money valuation = 20,000,000',
      'New money: investor: name = Ada',
      'New money: amount = 10',
      'Pool after the round = 12.5%',
      'Convertibles = SAFEs inside the pre-money value',
      'Name of the round = Series A',
    ]);
  });

  it('names records instead of ids', () => {
    const sent = { entity: '1', pool: '2', security: '3' };
    const details: Detail[] = [
      { pointer: '/path/organization', label: '', value: '4', name: 'Northwind', kind: 'organization' },
      { pointer: '/security', label: '', value: '3', kind: 'unknown' },
      { pointer: '/entity', label: '', value: '1', name: 'Ada', kind: 'member', mark: 'recipient' },
      { pointer: '/pool', label: '', value: '2', name: 'Plan Main', kind: 'pool' },
    ];
    expect(shown('grantOptions', sent, details)).toEqual([
      'Grantee = Ada',
      'Pool = Plan Main',
      'Security = Unknown record',
    ]);
  });

  it('shows a text with invisible characters as the server quotes it', () => {
    const details = [{ pointer: '/reason', label: '', value: '"a\\u202eb"' }];
    expect(shown('voidGrant', { reason: 'a\u202eb' }, details)).toEqual(['Reason = "a\\u202eb"']);
  });
});

/** Returns a value of a field in which every part is filled in. */
function sampleOf(field: ContractField | undefined): unknown {
  if (field?.fields) return Object.fromEntries(field.fields.map((part) => [part.name, sampleOf(part)]));
  if (field?.kind === 'array') return [sampleOf(field.item)];
  if (field?.options) return field.options[0];
  if (field?.kind === 'boolean') return true;
  if (field?.kind === 'integer') return 4;
  return { fraction: '0.125', date: '2026-02-01', quantity: '1000', price: '1.5' }[field?.kind ?? ''] ?? 'text';
}

const leaf = (operation: string, pointer: string): ContractField | undefined => {
  let fields = operationOf(operation as 'createHolding').fields;
  let found: ContractField | undefined;
  for (const part of pointer.slice(1).split('/')) {
    found = /^[0-9]+$/.test(part) ? found?.item : fields.find((field) => field.name === part);
    fields = found?.fields ?? [];
  }
  return found;
};

describe.each(Object.entries(catalog))('terms of %s', (_, posting) => {
  const operation = operationOf(posting.operation);
  const body = specsOf(posting).reduce<Body>(
    (made, { name }) => withValue(made, name, sampleOf(fieldAt(operation, name))),
    {},
  );
  const terms = termsOf(detailsOf(body), posting, specsOf(posting), context, body);

  it('have the label of each field', () => {
    for (const spec of specsOf(posting)) {
      const label = spec.label ?? labelOf(fieldAt(operation, spec.name) ?? { name: spec.name, kind: '' });
      expect(
        terms.some((term) => term.label === label || term.label.startsWith(`${label}: `)),
        spec.name,
      ).toBe(true);
    }
  });

  it('show percentages as percentages', () => {
    for (const term of terms)
      if (leaf(posting.operation, term.pointer)?.kind === 'fraction') expect(term.value, term.pointer).toBe('12.5%');
  });
});
