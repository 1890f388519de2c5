import type { Schema } from '~/api/client';
import { PlaceLink } from '~/journal/PlaceLink';
import { catalog } from '~/posting/catalog';
import type { StoredRecord } from '~/posting/posting';
import { sequenceOf } from '~/posting/send';
import { useOpenPosting } from '~/posting/useOpenPosting';
import { useMayPost } from '~/posting/usePostings';
import { Button } from '~/ui/Button';

/** The result of a recorded change: its journal entry, a link to its record, and the reverse operation, as for Posting. */
export function Recorded({ step, answer }: { step: Schema<'AgentStep'>; answer: StoredRecord }) {
  const may = useMayPost();
  const open = useOpenPosting();
  const posting = Object.values(catalog).find((one) => one.operation === step.operation);
  const sequence = sequenceOf(answer);
  const link = posting?.link?.(answer, step.body ?? {});
  const reverse = posting?.reverse?.(answer);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-3">
      {sequence && (
        <PlaceLink place={{ page: 'activity', search: { entry: sequence } }} className="num text-ink-2 hover:underline">
          Journal entry {sequence}
        </PlaceLink>
      )}
      {link && (
        <PlaceLink
          place={{ page: link.page, search: link.open ? { open: link.open } : {} }}
          className="font-medium text-accent hover:underline"
        >
          Show
        </PlaceLink>
      )}
      {reverse && may(reverse.posting) && (
        <Button className="h-7!" onClick={() => open(reverse.posting, reverse.record)}>
          {reverse.label}
        </Button>
      )}
    </p>
  );
}
