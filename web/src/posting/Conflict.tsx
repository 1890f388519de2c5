import { useQuery } from '@tanstack/react-query';
import { useAuthors, useJournalNames } from '~/activity/useAuthors';
import { useEntry } from '~/activity/useJournal';
import { moment } from '~/format/dates';
import { describe } from '~/journal/describe';
import type { LiveEvent } from '~/live/live';
import { useCompany } from '~/shell/company';
import { Unbroken } from '~/ui/Unbroken';
import { differences } from './differences';
import type { StoredRecord } from './posting';
import { type RecordKind, readRecord } from './records';

type Props = { kind: RecordKind; opened: StoredRecord; event: LiveEvent | undefined };

const most = 5; // changed fields

/** States who changed the record of a form after it was opened, when, and in which fields. */
export function Conflict({ kind, opened, event }: Props) {
  const company = useCompany();
  const id = String(opened.id);
  const { data } = useQuery({
    queryKey: ['get', kind, { organization: company.id, id, after: event?.sequence }],
    queryFn: ({ signal }) => readRecord(kind, company.id, id, signal),
    gcTime: 0,
  });
  const newer = data?.record;
  const sequence = event?.sequence ?? newer?.version;
  const entry = useEntry(company.id, company.can('viewCapTable') ? sequence?.toString() : undefined).data;
  const { names } = useJournalNames(entry ? [entry] : []);
  const by = entry?.by ?? event?.by;
  const at = entry?.recordedAt ?? event?.recordedAt;
  const authorOf = useAuthors(by ? [by] : []);
  const author = (by && authorOf(by).name) || 'Another user';
  const changed = newer ? differences(opened, newer) : [];
  return (
    <>
      <p>
        {author} changed this record{at && ` at ${moment(at)}`}, after the form was opened. Your entries stay.
      </p>
      {changed.length > 0 ? (
        <ul className="mt-1">
          {changed.slice(0, most).map(({ label, before, after }) => (
            <li key={label} className="break-words">
              {label}
              {before !== undefined && `: ${before} became ${after}`}
            </li>
          ))}
        </ul>
      ) : (
        entry && (
          <p className="mt-1">
            <Unbroken text={`${describe(entry.type, entry.data, names, company.currency)}.`} />
          </p>
        )
      )}
    </>
  );
}
