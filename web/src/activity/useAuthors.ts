import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, type Schema } from '~/api/client';
import { words } from '~/format/words';
import { type Names, namesWith } from '~/journal/names';
import { useClasses, useHolders, usePlans } from '~/records/useNames';
import { useCompany } from '~/shell/company';
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
const prefix = 'system:';

type Author = Schema<'Author'>;

/** Authors finds the author of an entry. */
export type Authors = (by: string) => { name: string; person: boolean };

/** Returns the name of an author, from the answer of the server. Only a removed member is a former user. */
export function authorOf(by: string, known: ReadonlyMap<string, Author>): ReturnType<Authors> {
  if (by.startsWith(prefix)) return { name: words(by.slice(prefix.length)), person: false };
  const author = known.get(by);
  if (!author) return { name: 'Another user', person: true };
  return { name: author.kind === 'former' ? `${author.name} (former user)` : author.name, person: true };
}

const most = 100; // ids in one request

/** Returns the ids of the persons among authors, in lists for one request each. */
export function requestsOf(authors: readonly string[]): string[] {
  const people = [...new Set(authors)].filter((by) => !by.startsWith(prefix));
  const count = Math.ceil(people.length / most);
  return Array.from({ length: count }, (_, at) => people.slice(at * most, (at + 1) * most).join(','));
}

/** Loads the authors of entries, for readers without access to the members too. A name that still loads is empty. */
export function useAuthors(authors: readonly string[]): Authors {
  const { id: organization } = useCompany();
  const path = '/organization/{organization}/author';
  const answers = useQueries({
    queries: requestsOf(authors).map((ids) => ({
      queryKey: ['get', path, organization, ids],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const params = { path: { organization }, query: { ids } };
        return (await client.GET(path, { params, signal })).data?.data ?? [];
      },
    })),
  });
  const known = new Map(answers.flatMap(({ data = [] }) => data.map((author) => [author.id, author] as const)));
  const loading = answers.some((answer) => answer.isPending);
  return (by) =>
    loading && !known.has(by) && !by.startsWith(prefix) ? { name: '', person: true } : authorOf(by, known);
}

/** Returns the authors by whom the journal can be filtered. */
export function useAuthorChoices(): { value: string; label: string; detail?: string }[] {
  const { members } = useHolders();
  return [
    ...members.flatMap((member) => (member.user ? [{ value: member.user, label: member.fullName }] : [])),
    ...system.map((name) => ({ value: `${prefix}${name}`, label: words(name), detail: 'Server' })),
  ];
}
