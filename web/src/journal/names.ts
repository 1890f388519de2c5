import { currencyKey, type Data, Facts, type Names } from './facts';

export type { Names };

type Entry = { type: string; data: Data };

const instruments: Record<string, string> = { safe: 'the SAFE', convertibleNote: 'the note', warrant: 'the warrant' };

/** Returns the name that an entry gives to the record which it creates. */
function created(entry: Entry, names: Names): string | undefined {
  const facts = new Facts(entry.data, names);
  const holder = facts.name('entity', '');
  if (entry.type === 'optionGranted')
    return `the grant of ${facts.count('quantity', 'options')}${holder && ` to ${holder}`}`;
  if (entry.type === 'holdingIssued')
    return `${instruments[facts.text('kind')] ?? 'the instrument'}${holder && ` of ${holder}`}`;
  return facts.text('certificate') || facts.text('terms.name') || facts.text('name') || undefined;
}

/** Adds the certificates of all issues within the content of an event. */
function addCertificates(value: unknown, names: Map<string, string>) {
  if (typeof value !== 'object' || value === null) return;
  const { id, certificate } = value as Data;
  if (typeof id === 'string' && typeof certificate === 'string' && certificate) names.set(id, certificate);
  for (const part of Object.values(value)) addCertificates(part, names);
}

/** Returns the names, and the currencies of debts, with those that the entries, newest first, give to the records which they create. */
export function namesWith(known: Names, entries: readonly Entry[]): Names {
  const names = new Map(known);
  for (const entry of entries.toReversed()) {
    addCertificates(entry.data, names);
    const member = entry.data.member as Data | undefined;
    if (typeof member?.id === 'string' && typeof member.fullName === 'string' && !names.has(member.id))
      names.set(member.id, member.fullName);
    const { id } = entry.data;
    const name = created(entry, names);
    if (typeof id === 'string' && name) names.set(id, name);
    const { currency } = (entry.data.principal ?? {}) as Data;
    if (typeof id === 'string' && typeof currency === 'string') names.set(currencyKey(id), currency);
  }
  return names;
}
