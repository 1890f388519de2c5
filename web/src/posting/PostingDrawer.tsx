import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { moment, today } from '~/format/dates';
import { words } from '~/format/words';
import { useChange } from '~/live/live';
import { useAddress } from '~/shell/address';
import { useCompany } from '~/shell/company';
import { Button } from '~/ui/Button';
import { Drawer } from '~/ui/Drawer';
import { Field } from '~/ui/Field';
import { Input } from '~/ui/Input';
import { Banner, Failure } from '~/ui/Notice';
import { faultAt, otherFaults, valueAt, withValue } from './body';
import { Control } from './Control';
import { fieldAt, operationOf } from './contract';
import { Effect } from './Effect';
import type { Context, Posting } from './posting';
import { recordQuery } from './records';
import { useAnnounce } from './useAnnounce';
import { fieldsOf, usePosting } from './usePosting';

type Props = { posting: Posting; recordId: string | undefined; onClose: () => void };

/** The form of every change of the cap table: fields, live preview, one button that names the change. */
export default function PostingDrawer({ posting, recordId, onClose }: Props) {
  const company = useCompany();
  const [address] = useAddress();
  const loaded = useQuery({
    ...recordQuery(posting.record ?? 'organization', company.id, recordId ?? company.id),
    enabled: posting.record !== undefined,
  });
  const record = loaded.data?.record;
  const context = useMemo<Context>(() => ({ company, record, today: today(), address }), [company, record, address]);
  const ready = posting.record === undefined || record !== undefined;
  if (!ready) {
    return (
      <Drawer open onClose={onClose} title={posting.title}>
        {loaded.isError ? (
          <Failure what="The record" error={loaded.error} retry={loaded.refetch} />
        ) : (
          <div className="skeleton h-48" />
        )}
      </Drawer>
    );
  }
  return <Form posting={posting} context={context} tag={loaded.data?.tag} onClose={onClose} />;
}

function Form({
  posting,
  context: live,
  tag: freshTag,
  onClose,
}: {
  posting: Posting;
  context: Context;
  tag: string | undefined;
  onClose: () => void;
}) {
  // The form keeps the record that it was opened with; a newer one is announced, not mixed in.
  const [context] = useState(live);
  const [tag] = useState(freshTag);
  const form = usePosting(posting, context, tag);
  const announce = useAnnounce();
  const change = useChange(context.record?.id);
  const id = useId();
  const [typed, setTyped] = useState('');
  const operation = operationOf(posting.operation);
  const fields = fieldsOf(posting, form.body, context);
  const shownFaults = form.problem?.faults ?? [];
  const unplaced = otherFaults(
    shownFaults,
    fields.map((field) => field.name),
  );
  const expected = posting.confirm?.(context);
  const blocked =
    form.missing.length > 0 || (expected !== undefined && typed !== expected) || form.submission.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (blocked) return;
    form.submission.mutate(undefined, {
      onSuccess: (answer) => {
        onClose();
        announce(posting, answer, form.body);
      },
    });
  };
  return (
    <Drawer
      open
      onClose={onClose}
      title={posting.title}
      subtitle={context.record?.name ?? context.record?.certificate}
      footer={
        <div className="flex items-center gap-3">
          <Button type="submit" form={id} look={posting.danger ? 'danger' : 'primary'} disabled={blocked}>
            {form.submission.isPending ? 'Recording…' : posting.action(form.body, context)}
          </Button>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      }
    >
      <form id={id} onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {change && (
          <Banner tone="warn">
            Somebody changed this record at {moment(change.recordedAt)}. Close the form and open it again to see the
            change.
          </Banner>
        )}
        {fields.map((field) => {
          const contract = fieldAt(operation, field.name);
          return (
            <Field
              key={field.name}
              label={field.label ?? words(field.name.split('.').pop() ?? '')}
              help={field.help ?? contract?.help?.replaceAll('`', '')}
              optional={!(field.required ?? contract?.required)}
              error={faultAt(shownFaults, field.name)}
            >
              {(parts) => (
                <Control
                  {...parts}
                  spec={field}
                  contract={contract}
                  context={context}
                  body={form.body}
                  value={valueAt(form.body, field.name)}
                  onChange={(value) => form.setBody(withValue(form.body, field.name, value))}
                />
              )}
            </Field>
          );
        })}
        {expected !== undefined && (
          <Field label={`Type “${expected}” to confirm`} help="This change cannot be reversed.">
            {(parts) => <Input {...parts} value={typed} onChange={(event) => setTyped(event.target.value)} />}
          </Field>
        )}
        {form.problem && (unplaced.length > 0 || shownFaults.length === 0) && (
          <Banner tone="bad">
            {unplaced.length > 0 ? unplaced.map((fault) => fault.message).join(' ') : form.problem.message}
            {form.submitted && form.problem.code !== 'outcomeUnknown' && ' No data was changed.'}
          </Banner>
        )}
        {operation.preview && <Effect preview={form.effect} busy={form.previewing} waiting={form.missing.length > 0} />}
      </form>
    </Drawer>
  );
}
