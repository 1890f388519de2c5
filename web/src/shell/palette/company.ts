import { useNavigate } from '@tanstack/react-router';
import { onSameDay } from '~/day/day';
import { day, today } from '~/format/dates';
import { placeOf } from '~/journal/places';
import { catalog } from '~/posting/catalog';
import { useOpenPosting } from '~/posting/useOpenPosting';
import { useMayPost, usePostingsOf } from '~/posting/usePostings';
import { type Address, useAddress } from '../address';
import type { Company } from '../company';
import { pagesOf } from '../pages';
import { type Command, command, type Group, matching } from './command';
import { missing, searchable, wordsOf } from './match';
import { type Found, type Kind, kinds, useRecords } from './records';
import { typedDay } from './typedDay';
import { searchOf, useDocuments } from './useDocuments';

const mostRecords = 6; // of each kind
const mostChanges = 8; // of found records

/** The titles of the changes of each kind of record, in searchable form. */
const titles = new Map<string, string[]>();
for (const { record, title } of Object.values(catalog))
  if (record) titles.set(record, [...(titles.get(record) ?? []), searchable(title)]);

/** Returns a function that finds the pages, changes and records of a company that contain all words of a search. */
export function useCompanyGroups(company: Company, typed: boolean, text: string): (words: string[]) => Group[] {
  const navigate = useNavigate();
  const may = useMayPost();
  const open = useOpenPosting();
  const postingsOf = usePostingsOf();
  const [address] = useAddress();
  const documents = useDocuments(company, wordsOf(text));
  const records = useRecords(company, typed || address.open !== undefined, documents);
  const go = (page: string, search: Record<string, string> = {}) => {
    const to: string = `/company/${company.id}/${page}`;
    navigate({ to, search: onSameDay(search) });
  };
  const changesOf = ({ kind, record, label }: Found): Command[] =>
    kind === 'document' || record.builtIn
      ? []
      : postingsOf(kind, record).map((item) =>
          command(item.label, item.run, { detail: label, value: `${item.label} ${record.id}` }),
        );
  const pages = pagesOf(company).map(({ to, label, key, keywords }) =>
    command(label, () => go(to), { hint: key && `G ${key.toUpperCase()}`, keywords }),
  );
  const opened = records.find((one) => one.id === address.open);
  const allowed = Object.entries(catalog).filter(([name]) => may(name));
  const creations = allowed
    .filter(([, posting]) => !posting.record && !posting.offered)
    .map(([name, { title, keywords }]) => command(title, () => open(name), { keywords }));
  const changes = allowed.flatMap(([name, { title, keywords, record, holderOr }]) => {
    if (!record) return [];
    if (record === 'organization') return command(title, () => open(name, company.id), { keywords });
    const noun = kinds[record as Kind]?.[1];
    const page = placeOf(record, '')?.page;
    const offered = !holderOr || !company.can('viewCapTable') || (holderOr !== 'nobody' && company.can(holderOr));
    if (!noun || !page || !offered) return [];
    return command(title, () => go(page), { detail: `Choose a ${noun}`, keywords, value: name });
  });
  const chosen = typedDay(text);
  const show = (date: string) =>
    navigate({ to: '.', search: (before: Address) => ({ ...before, asOf: date < today() ? date : undefined }) });
  const days: Group[] = chosen
    ? [{ value: 'Day', items: [command(`Show ${day(chosen)}`, () => show(chosen), { detail: 'The end of this day' })] }]
    : [];
  return (words) => {
    const begin: Group[] = [
      ...(opened ? [{ value: opened.label, items: changesOf(opened) }] : []),
      { value: 'Go to', items: pages },
    ];
    if (words.length === 0) return [...begin, { value: 'Actions', items: creations }].filter((one) => one.items.length);
    const { found, changed } = search(records, words, changesOf);
    const actions = matching([{ value: 'Actions', items: [...creations, ...changes] }], words);
    return [
      ...days,
      ...matching(begin, words),
      { value: 'Actions', items: [...changed, ...actions.flatMap((group) => group.items)] },
      ...found.map(({ kind, records }) => ({
        value: kinds[kind][0],
        items: records.map((one) => {
          const { label, detail, id } = one;
          const item = documents.find((document) => document.id === id);
          const place = item ? { page: 'documents', search: searchOf(item) } : placeOf(kind, id);
          return command(label, () => place && go(place.page, place.search), { detail, value: id });
        }),
      })),
    ].filter((group) => group.items.length > 0);
  };
}

/**
 * Returns the records that contain all words, by kind, and the changes of records whose titles contain the words that the record does not
 * contain: "transfer CS-12".
 */
function search(records: Found[], words: string[], changesOf: (record: Found) => Command[]) {
  const found = new Map<Kind, Found[]>();
  const changed: Command[] = [];
  for (const record of records) {
    const rest = missing(words, record.text);
    if (rest.length === 0) {
      const list = found.get(record.kind) ?? [];
      if (list.length < mostRecords) found.set(record.kind, [...list, record]);
    } else if (rest.length < words.length && changed.length < mostChanges) {
      if (!titles.get(record.kind)?.some((title) => missing(rest, title).length === 0)) continue;
      changed.push(...changesOf(record).filter((one) => missing(rest, searchable(one.label)).length === 0));
    }
  }
  return {
    found: [...found].map(([kind, records]) => ({ kind, records })),
    changed: changed.slice(0, mostChanges),
  };
}
