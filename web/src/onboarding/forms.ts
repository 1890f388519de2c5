import type { Schema } from '~/api/client';
import { patchOf } from '~/posting/body';
import { catalog } from '~/posting/catalog';
import type { Body, Context, Posting } from '~/posting/posting';
import { withRights } from '~/shell/company';

export type Item = Schema<'OnboardingItem'>;
export type Addable = Schema<'NewOnboardingItem'>['kind'];

/** The words for the kinds of items. */
export const kindNames: Record<Item['kind'], string> = {
  organization: 'Company',
  security: 'Class',
  vestingSchedule: 'Vesting schedule',
  member: 'Person',
  plan: 'Option plan',
  shareholding: 'Shareholding',
  convertible: 'Convertible',
  folder: 'Folder',
  package: 'Package',
};

/** The forms of operations that are no postings of an existing company. */
const others: Record<string, Pick<Posting, 'operation' | 'title' | 'fields' | 'initial'>> = {
  createOrganization: {
    operation: 'createOrganization',
    title: 'Company',
    fields: ['name', 'legalName', 'type', 'jurisdiction', 'formationDate', 'currency', 'website', 'address'],
  },
  amendMember: { operation: 'amendMember', title: 'You', fields: ['relationship', 'title', 'startDate'] },
  createFolder: {
    operation: 'createFolder',
    title: 'New folder',
    fields: ['name'],
    initial: () => ({ parentFolder: null }),
  },
};

const ofOperation: Record<string, string> = {
  createSecurity: 'createClass',
  createVestingSchedule: 'createSchedule',
  addMember: 'addMember',
  createPlan: 'createPlan',
  issueShareholding: 'issueShares',
};

const ofInstrument: Record<string, string> = {
  safe: 'createSafe',
  convertibleNote: 'createNote',
  warrant: 'createWarrant',
};

/** The records that a user can add, with the kind of their item. */
export const additions: { label: string; kind: Addable; form: string }[] = [
  { label: 'Person', kind: 'member', form: 'addMember' },
  { label: 'Class', kind: 'security', form: 'createClass' },
  { label: 'Shareholding', kind: 'shareholding', form: 'issueShares' },
  { label: 'Option plan', kind: 'plan', form: 'createPlan' },
  { label: 'SAFE', kind: 'convertible', form: 'createSafe' },
  { label: 'Convertible note', kind: 'convertible', form: 'createNote' },
  { label: 'Vesting schedule', kind: 'vestingSchedule', form: 'createSchedule' },
  { label: 'Folder', kind: 'folder', form: 'createFolder' },
];

/** References to records that a plan never contains. Their fields are left out. */
const absent = new Set(['legends', 'block', 'roles', 'documents', 'securities', 'vestingSchedules']);

const unposted = { action: () => '', done: () => '' };

/** Returns the form of a name, without the fields that a plan cannot fill. */
export function formOf(name: string): Posting {
  const form = catalog[name] ?? others[name];
  if (!form) throw new Error(`a plan has no form ${name}`);
  const fields = form.fields.filter((field) => !absent.has(typeof field === 'string' ? field : field.name));
  return { ...unposted, ...form, fields };
}

/** Returns the form of an item; undefined for a package, which is imported as it is. */
export function formOfItem(item: Item): Posting | undefined {
  if (item.kind === 'package') return undefined;
  const name =
    item.operation === 'createHolding' ? ofInstrument[String(item.fields.kind)] : ofOperation[item.operation];
  return formOf(name ?? item.operation);
}

/** Returns the place of the forms of a plan: its company, and its items as records to choose from. */
export function contextOf(items: Item[], today: string): Context {
  const organization = items.find((item) => item.kind === 'organization');
  const named = (kind: Item['kind']) =>
    items
      .filter((item) => item.kind === kind && item.operation !== 'amendMember')
      .map((item) => ({ value: item.itemId, label: String(item.fields.fullName ?? item.fields.name ?? item.title) }));
  const company = {
    id: organization?.itemId ?? '',
    name: String(organization?.fields.name ?? ''),
    currency: String(organization?.fields.currency ?? ''),
  } as Schema<'Organization'>;
  return {
    company: withRights(company),
    record: undefined,
    today,
    address: {},
    references: {
      entity: [{ value: company.id, label: 'You' }, ...named('member')],
      security: named('security'),
      vestingSchedule: named('vestingSchedule'),
    },
  };
}

/** Returns the fields of an item as its form edits them. */
export const bodyOf = (item: Item): Body =>
  item.operation === 'createVestingSchedule'
    ? { pattern: ['continuous', 'discrete', 'terms'].find((name) => item.fields[name]) ?? 'continuous', ...item.fields }
    : item.fields;

/** Returns the changed fields of an edited item, with their new values. A removed value is null. */
export function changesOf(item: Item, edited: Body, context: Context): Body {
  const whole = (body: Body) => formOfItem(item)?.complete?.(body, context) ?? body;
  return patchOf(whole(bodyOf(item)), whole(edited));
}
