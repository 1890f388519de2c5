import { useDay } from '~/day/day';
import { useOwn } from '~/records/useOwn';
import { useCompany } from '~/shell/company';
import type { MenuItem } from '~/ui/Menu';
import { catalog } from './catalog';
import type { Posting, StoredRecord } from './posting';
import type { RecordKind } from './records';
import { useOpenPosting } from './useOpenPosting';

/** Reports whether the user may make a change now. Pages leave out the buttons of other changes. */
export function useMayPost(): (name: string) => boolean {
  const company = useCompany();
  const { past } = useDay();
  return (name) => {
    const posting = catalog[name];
    if (!posting || past) return false;
    return !posting.permission || company.can(posting.permission);
  };
}

/** Returns a function that finds the changes that the user may make to a record in its present state, with their names. */
function useApplicable(): (kind: RecordKind, record: StoredRecord) => [string, Posting][] {
  const company = useCompany();
  const { isOwn } = useOwn();
  const may = useMayPost();
  const allowed = ({ holderOr }: Posting, record: StoredRecord) =>
    !holderOr || isOwn(record) || (holderOr !== 'nobody' && company.can(holderOr));
  return (kind, record) =>
    Object.entries(catalog).filter(
      ([name, posting]) =>
        posting.record === kind &&
        may(name) &&
        allowed(posting, record) &&
        (posting.applies?.(record, company) ?? true),
    );
}

/** Returns a function that lists the changes that the user may make to a record in its present state, as items of a menu. */
export function usePostingsOf(): (kind: RecordKind, record: StoredRecord) => MenuItem[] {
  const applicable = useApplicable();
  const open = useOpenPosting();
  return (kind, record) =>
    applicable(kind, record).map(([name, posting]) => ({
      label: posting.title,
      danger: posting.danger,
      run: () => open(name, String(record.id)),
    }));
}

/** Returns the changes that the user may make to a record; none without one. */
export function useRecordPostings(kind: RecordKind, record: StoredRecord | undefined): MenuItem[] {
  const postingsOf = usePostingsOf();
  return record ? postingsOf(kind, record) : [];
}

/** The changes that are offered for several records. Their forms open one after the other. */
const repeated = new Set([
  'acceptShares',
  'cancelShares',
  'voidShares',
  'acceptGrant',
  'acceptExercise',
  'cancelGrant',
  'voidGrant',
  'acceptInstrument',
  'voidInstrument',
  'removeMember',
  'grantHolder',
  'inviteHolder',
  'inviteAgain',
]);

/** Returns a function that finds the changes of several records, each with the number of records that it applies to. */
export function useBulkPostings(kind: RecordKind): (records: StoredRecord[]) => MenuItem[] {
  const applicable = useApplicable();
  const open = useOpenPosting();
  return (records) => {
    const found = new Map<string, string[]>();
    for (const record of records) {
      for (const [name] of applicable(kind, record)) {
        if (repeated.has(name)) found.set(name, [...(found.get(name) ?? []), String(record.id)]);
      }
    }
    return [...found].map(([name, ids]) => ({
      label: `${catalog[name]?.title} (${ids.length})`,
      danger: catalog[name]?.danger,
      run: () => open(name, ids.join(',')),
    }));
  };
}
