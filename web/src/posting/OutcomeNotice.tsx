import type { FieldFault } from '~/api/problem';
import type { LiveEvent } from '~/live/live';
import { Button } from '~/ui/Button';
import { Banner } from '~/ui/Notice';
import { Unbroken } from '~/ui/Unbroken';
import { Conflict } from './Conflict';
import type { Outcome } from './outcome';
import type { StoredRecord } from './posting';
import type { RecordKind } from './records';

type Props = {
  outcome: Outcome | undefined;
  /** The kind of the record and the record that the form was opened with, if it changes one. */
  kind?: RecordKind;
  record?: StoredRecord;
  /** The change of the record by another user while the form was open. */
  newer: LiveEvent | undefined;
  /** Faults of no displayed field. */
  faults: FieldFault[];
  /** Whether the displayed fields show faults. */
  placed: boolean;
  onReload: () => void;
  onRetry: () => void;
};

/** States why a change was not recorded, or whether it was, and offers the next step. */
export function OutcomeNotice({ outcome, kind, record, newer, faults, placed, onReload, onRetry }: Props) {
  if (newer || outcome?.kind === 'changed') {
    return (
      <Banner tone="warn">
        {kind && record ? <Conflict kind={kind} opened={record} event={newer} /> : <p>{outcome?.text}</p>}
        <Button className="mt-2" onClick={onReload}>
          Reload the record
        </Button>
      </Banner>
    );
  }
  if (!outcome) return null;
  if (outcome.kind === 'refused') {
    if (placed && faults.length === 0) return null;
    return (
      <Banner tone="bad">
        <Unbroken text={faults.map((fault) => fault.message).join(' ') || outcome.text} />
      </Banner>
    );
  }
  return (
    <Banner tone="warn">
      <p>{outcome.text}</p>
      <Button className="mt-2" onClick={onRetry}>
        Try again
      </Button>
    </Banner>
  );
}
