import { useDay } from '~/day/day';
import { useOwn } from '~/records/useOwn';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import type { MenuItem } from '~/ui/Menu';
import { catalog } from './catalog';
import type { Posting, StoredRecord } from './posting';
import type { RecordKind } from './records';

/** Returns a function that opens the form of a posting. */
export function useOpenPosting(): (name: string, record?: string) => void {
  const [, setAddress] = useAddress();
  return (post, record) => setAddress({ post, record }, true);
}

/** Reports whether the user may make a change now. Pages leave out the buttons of other changes. */
export function useMayPost(): (name: string) => boolean {
  const company = useCompany();
  const { past } = useDay();
  return (name) => {
    const posting = catalog[name];
    if (!posting || past) return false;
    return (
      (!posting.permission || company.can(posting.permission)) && (!posting.feature || company.has(posting.feature))
    );
  };
}

/** Returns a function that lists the changes that the user may make to a record in its present state, as items of a menu. */
export function usePostingsOf(): (kind: RecordKind, record: StoredRecord) => MenuItem[] {
  const company = useCompany();
  const { isOwn } = useOwn();
  const may = useMayPost();
  const open = useOpenPosting();
  return (kind, record) => {
    const allowed = ({ holderOr }: Posting) =>
      !holderOr || isOwn(record) || (holderOr !== 'nobody' && company.can(holderOr));
    return Object.entries(catalog)
      .filter(
        ([name, posting]) =>
          posting.record === kind && may(name) && allowed(posting) && (posting.applies?.(record, company) ?? true),
      )
      .map(([name, posting]) => ({
        label: posting.title,
        danger: posting.danger,
        run: () => open(name, String(record.id)),
      }));
  };
}

/** Returns the changes that the user may make to a record; none without one. */
export function useRecordPostings(kind: RecordKind, record: StoredRecord | undefined): MenuItem[] {
  const postingsOf = usePostingsOf();
  return record ? postingsOf(kind, record) : [];
}
