import { useMemo } from 'react';
import { useJournalNames } from '~/activity/useAuthors';
import type { Schema } from '~/api/client';
import type { Names } from '~/journal/names';
import { useCompany } from '~/shell/company';
import type { StoredRecord } from './posting';
import type { RecordKind } from './records';

type Event = Schema<'PreviewEvent'>;

/** The event that creates a record whose name consists of its facts. Other records have a name or a certificate. */
const creations: Partial<Record<RecordKind, string>> = { option: 'optionGranted', holding: 'holdingIssued' };

/** Returns the names of all records that the events of a preview mention, with that of the changed record, and the currency of the company. */
export function useEventNames(
  kind: RecordKind | undefined,
  record: StoredRecord | undefined,
  events: Event[],
): { names: Names; currency: string } {
  const { currency } = useCompany();
  const entries = useMemo(() => {
    const creation = record && { type: (kind && creations[kind]) ?? '', data: { name: record.fullName, ...record } };
    return [...events.toReversed(), ...(creation ? [creation] : [])];
  }, [kind, record, events]);
  return { names: useJournalNames(entries).names, currency };
}
