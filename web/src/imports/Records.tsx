import type { Schema } from '~/api/client';
import { quantity } from '~/format/figures';
import { words } from '~/format/words';
import { Details } from '~/posting/Details';
import { Section } from '~/ui/Page';
import { placeOf } from './Findings';

/** The content of a file before its import, by kind: the first records, and each row that changes an e-mail address of a member. */
export function Records({ records }: { records: Schema<'ImportRecords'>[] }) {
  return records.map(({ kind, count, shown }) => (
    <Section
      key={kind}
      title={`Content: ${words(kind)}`}
      detail={
        shown.length < count ? `${shown.length} of ${quantity(count.toString())} shown` : quantity(count.toString())
      }
    >
      <ul className="grid gap-3 min-[900px]:grid-cols-2">
        {shown.map(({ pointer, details }) => (
          <li key={pointer} className="min-w-0 rounded-[10px] border border-line p-3">
            <h3 className="mb-2 text-xs font-medium break-all text-ink-3">{placeOf(pointer)}</h3>
            <Details details={details} />
          </li>
        ))}
      </ul>
    </Section>
  ));
}
