import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '~/api/client';
import { useDay } from '~/day/day';
import { documentsKey, type Item } from '~/documents/api';
import { useSettled } from '~/ui/useSettled';
import type { Company } from '../company';

const delay = 120; // milliseconds after the last letter
const nouns = ['document', 'documents', 'folder'];

/** Returns the words to search in names of documents. Words for the kind of the record are left out if others remain. */
export function namesOf(words: string[]): string {
  const names = words.filter((word) => !nouns.includes(word));
  return (names.length > 0 ? names : words).join(' ').slice(0, 200);
}

/** Finds items of all folders of the data room by their names. An office suite has a search of its own. */
export function useDocuments(company: Company, words: string[]): Item[] {
  const { knownAt } = useDay();
  const search = useSettled(namesOf(words), delay);
  const { data } = useQuery({
    queryKey: [...documentsKey, company.id, 'search', search, knownAt],
    enabled: search !== '' && company.storage !== 'officeSuite',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { path: { organization: company.id }, query: { search, ...(knownAt && { knownAt }) } };
      return (await client.GET('/organization/{organization}/document', { params, signal })).data ?? [];
    },
  });
  return data ?? [];
}

/** Returns the state of the documents page that shows a found item: the list of a folder, or the drawer of a document. */
export function searchOf({ id, type, path = [] }: Item): Record<string, string> {
  const folders = [...path.map((folder) => folder.id), ...(type === 'folder' ? [id] : [])];
  return { ...(folders.length > 0 && { folder: folders.join(',') }), ...(type === 'file' && { open: id }) };
}
