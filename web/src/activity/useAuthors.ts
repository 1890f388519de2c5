import { useMemo } from 'react';
import { words } from '~/format/words';
import { type Names, namesWith } from '~/journal/names';
import { useClasses, useHolders, usePlans } from '~/records/useNames';
import type { Entry } from './useJournal';

/** Returns the names of all records that the entries mention, as far as they are known. */
export function useJournalNames(entries: readonly Pick<Entry, 'type' | 'data'>[]): { names: Names; loading: boolean } {
  const holders = useHolders();
  const { members, names } = holders;
  const { classes, loading } = useClasses();
  const { plans } = usePlans();
  const all = useMemo(() => {
    const known = new Map<string, string>(names);
    for (const one of [...classes, ...plans.rows]) known.set(one.id, one.name);
    for (const member of members)
      for (const id of [member.id, member.entity, member.user]) if (id) known.set(id, member.fullName);
    return namesWith(known, entries);
  }, [classes, plans.rows, members, names, entries]);
  return { names: all, loading: holders.loading || loading || plans.loading };
}

/** Authors that are parts of the server, not persons. */
const system = ['billing', 'chat', 'documents', 'drive', 'invitation', 'officeSuite', 'scan', 'webhook'];

/** Returns the name of an author, and whether it is a person. */
export function authorOf(by: string, names: Names): { name: string; person: boolean } {
  if (by.startsWith('system:')) return { name: words(by.slice('system:'.length)), person: false };
  return { name: names.get(by) ?? 'Former user', person: true };
}

/** Returns the authors by whom the journal can be filtered. */
export function useAuthorChoices(): { value: string; label: string; detail?: string }[] {
  const { members } = useHolders();
  return [
    ...members.flatMap((member) => (member.user ? [{ value: member.user, label: member.fullName }] : [])),
    ...system.map((name) => ({ value: `system:${name}`, label: words(name), detail: 'Server' })),
  ];
}
