import { type FormEvent, useId, useRef, useState } from 'react';
import { counted } from '~/format/words';
import { useChange } from '~/live/live';
import { Button } from '~/ui/Button';
import { Drawer } from '~/ui/Drawer';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Unsaved } from '~/ui/Unsaved';
import { otherFaults } from './body';
import { Cost } from './Cost';
import { operationOf } from './contract';
import { Details } from './Details';
import { Effect } from './Effect';
import { FormFields } from './FormFields';
import { NestedForm } from './nested';
import { OutcomeNotice } from './OutcomeNotice';
import type { Body, Posting, StoredRecord } from './posting';
import { termsOf } from './terms';
import { useAnnounce } from './useAnnounce';
import { fieldsOf, type Opened, usePosting } from './usePosting';

/** FormProps are the properties of the form of a change. */
export type FormProps = {
  posting: Posting;
  first: Opened;
  reload: () => Promise<Opened | undefined>;
  /** The body of the same change of the record before, whose reason and note are proposed again. */
  carried?: Body;
  /** The number of records that follow. */
  remaining: number;
  onDone: (body: Body, record?: StoredRecord) => void;
  onClose: () => void;
};

const most = 5; // fields above the preview; in longer forms the preview stands beside them

/** The parts of the address that an open form depends on, and a form over another one. */
const parts = ['post', 'record', 'asOf', 'knownAt'];
const nestedParts = [...parts, 'create'];

const focusable = 'input:not([type=hidden]):not([tabindex="-1"]), textarea, button[role=combobox]';

/** The form of every change of the cap table: fields, live preview, one button that names the change. */
export function PostingForm({ posting, first, reload, carried, remaining, onDone, onClose }: FormProps) {
  const form = usePosting(posting, first, carried);
  const announce = useAnnounce();
  const { context, outcome, submission } = form;
  const latest = useChange(context.record?.id);
  const id = useId();
  const element = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState('');
  const recorded = useRef(false); // set before the form closes, which is in the same task as the answer
  const fields = fieldsOf(posting, form.body, context);
  const unplaced = otherFaults(
    form.faults,
    fields.map((field) => field.name),
  );
  const expected = posting.confirm?.(context);
  const settled = submission.isPending || submission.isSuccess;
  const locked = outcome?.kind === 'unknown' || settled;
  const newer = !settled && latest !== undefined && latest.sequence > (context.record?.version ?? 0);
  const changed = outcome?.kind === 'changed' || newer;
  const refused = outcome?.kind === 'refused' && !submission.isError; // by the preview
  const blocked = !form.ready || (expected !== undefined && typed !== expected) || settled || changed || refused;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    event?.stopPropagation(); // React sends the event of a form over another one to both
    if (blocked) return;
    submission.mutate(undefined, {
      onSuccess: (answer) => {
        recorded.current = true;
        onDone(form.body, answer.record);
        announce(posting, answer, form.body);
      },
    });
  };
  const previews = operationOf(posting.operation).preview === true;
  const wide = previews && posting.fields.length > most;
  const reopen = async () => {
    const record = await reload();
    if (record) form.reopen(record);
  };
  return (
    <Drawer
      open
      onClose={onClose}
      title={posting.title}
      subtitle={context.record?.name ?? context.record?.certificate}
      wide={wide}
      focus={() => element.current?.querySelector<HTMLElement>(focusable)}
      footer={
        <div className="flex items-center gap-3">
          <Button type="submit" form={id} look={posting.danger ? 'danger' : 'primary'} disabled={blocked}>
            {submission.isPending ? 'Recording…' : posting.action(form.body, context)}
          </Button>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          {remaining > 0 && (
            <Button look="ghost" onClick={() => onDone(form.body)}>
              Skip
            </Button>
          )}
          {remaining > 0 && (
            <span className="num ml-auto text-ink-3">{counted(remaining, 'record')} after this one</span>
          )}
        </div>
      }
    >
      <Unsaved
        changed={() => !recorded.current && (form.changed || typed !== '')}
        parts={context.nested ? nestedParts : parts}
      />
      <form ref={element} id={id} onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <div className="sticky top-0 z-10 empty:hidden">
          <OutcomeNotice
            outcome={outcome}
            kind={posting.record}
            record={context.record}
            newer={newer ? latest : undefined}
            faults={unplaced}
            placed={form.faults.length > unplaced.length}
            onReload={reopen}
            onRetry={submit}
          />
        </div>
        <div className={`grid gap-x-8 gap-y-4 ${wide ? 'min-[900px]:grid-cols-[minmax(0,1fr)_332px]' : ''}`}>
          <fieldset disabled={locked} className="flex min-w-0 flex-col gap-4">
            <NestedForm value={PostingForm}>
              <FormFields
                posting={posting}
                fields={fields}
                faults={form.faults}
                context={context}
                body={form.body}
                onChange={form.setBody}
              />
            </NestedForm>
            {posting.exercise && (
              <Cost exercise={posting.exercise(form.body, context)} context={context} events={form.effect?.events} />
            )}
            {expected !== undefined && (
              <Field label={`Type “${expected}” to confirm`} help="This change cannot be reversed.">
                {(parts) => <Input {...parts} value={typed} onChange={(event) => setTyped(event.target.value)} />}
              </Field>
            )}
          </fieldset>
          {previews && !changed && (
            <div className="top-0 self-start min-[900px]:sticky">
              <Effect
                kind={posting.record}
                record={context.record}
                preview={form.effect}
                busy={form.previewing}
                waiting={form.waiting}
                failed={outcome !== undefined}
              />
              {form.effect?.details && (
                <div className="mt-4" aria-busy={form.previewing}>
                  <Details
                    label="Terms"
                    details={termsOf(form.effect.details, posting, fields, context, form.effect.sent)}
                  />
                </div>
              )}
            </div>
          )}
        </div>
      </form>
    </Drawer>
  );
}
