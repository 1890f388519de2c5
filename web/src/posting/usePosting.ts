import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Problem, problemOf } from '~/api/problem';
import { useSettled } from '~/ui/useSettled';
import { otherFaults, patchOf, rebased, valueAt } from './body';
import { picked } from './catalog/figures';
import { fieldAt, operationOf } from './contract';
import { outcomeOf } from './outcome';
import type { Body, Context, FieldSpec, Posting } from './posting';
import { parameterOf } from './records';
import { preview, send } from './send';

const pause = 300; // milliseconds between the last keystroke and the preview
const previews = 'preview'; // the begin of the keys of previews

/** Returns the fields of a posting in the form of their specification, without those that do not apply. */
export const fieldsOf = (posting: Posting, body: Body, context: Context): FieldSpec[] =>
  posting.fields
    .map((field) => (typeof field === 'string' ? { name: field } : field))
    .filter((field) => field.when?.(body, context) ?? true);

/** Opened is the record that a form was opened with: its context and its ETag. */
export type Opened = { context: Context; tag: string | undefined };

const problemIn = (error: unknown) => (error instanceof Problem ? error : error ? problemOf(error) : undefined);

/**
 * Holds the state of an open form: its record, its body, its preview and its submission. The idempotency key is created
 * once, so that a repeated submission has no second effect.
 */
export function usePosting(posting: Posting, first: Opened, carried?: Body) {
  const operation = operationOf(posting.operation);
  const queries = useQueryClient();
  const [key] = useState(() => crypto.randomUUID());
  const [{ context, tag }, setOpened] = useState(first);
  const initial = useMemo<Body>(() => posting.initial?.(context) ?? {}, [posting, context]);
  const [pristine, setPristine] = useState<Body>(() => ({ ...picked(carried, ['reason', 'comments']), ...initial }));
  const [body, setBody] = useState(pristine);
  const path = useMemo(
    () => ({
      organization: context.company.id,
      ...(posting.record && context.record && { [parameterOf(posting.record)]: String(context.record.id) }),
      ...posting.path?.({ ...context, body }),
    }),
    [posting, context, body],
  );
  const complete = (edited: Body) => {
    const whole = (one: Body) => posting.complete?.(one, context) ?? one;
    return operation.method === 'PATCH' ? patchOf(whole(initial), whole(edited)) : whole(edited);
  };
  const fields = fieldsOf(posting, body, context);
  const missing = fields.filter(
    (field) => (field.required ?? fieldAt(operation, field.name)?.required) && valueAt(body, field.name) === undefined,
  );
  const unchanged = operation.method === 'PATCH' && Object.keys(complete(body)).length === 0;
  const ready = missing.length === 0 && !unchanged;
  const settled = useSettled(body, pause);
  const submission = useMutation({
    mutationFn: () => send({ operation: posting.operation, path, body: complete(body), key, tag }),
    networkMode: 'always',
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== previews }),
  });
  const effect = useQuery({
    queryKey: [previews, posting.operation, path, settled, tag],
    queryFn: async ({ signal }) => {
      const sent = complete(settled);
      return { sent, ...(await preview({ operation: posting.operation, path, body: sent, tag }, signal)) };
    },
    enabled: operation.preview === true && ready && settled === body && submission.isIdle,
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const placed = (pointer: string) => posting.pointer?.(pointer) ?? pointer;
  const problem = problemIn(submission.error ?? (ready && settled === body ? effect.error : undefined));
  const faults = (problem?.faults ?? []).map((fault) => ({ ...fault, pointer: placed(fault.pointer) }));
  const changed = Object.keys(patchOf(pristine, body)).length > 0;
  // The preview of an untouched form refuses what the user has not typed yet. Only a submission shows such faults.
  const early = !changed && !submission.isError;
  const unplaced = otherFaults(
    faults,
    fields.map((field) => field.name),
  );
  const hidden = early && unplaced.length < faults.length;
  return {
    context,
    body,
    setBody: (next: Body) => {
      submission.reset();
      setBody(next);
    },
    /** Continues with a newer record. What the user typed stays. */
    reopen: (newer: Opened) => {
      submission.reset();
      const next = posting.initial?.(newer.context) ?? {};
      setPristine(next);
      setBody(rebased(body, initial, next));
      setOpened(newer);
    },
    ready,
    /** Whether the user typed anything. */
    changed,
    /** Whether there is no preview before the user types: fields are empty, or nothing was changed. */
    waiting: !ready || hidden,
    effect: ready && !effect.error ? effect.data : undefined,
    previewing: ready && (effect.isFetching || settled !== body),
    faults: hidden ? unplaced : faults,
    outcome: problem && !(hidden && unplaced.length === 0) ? outcomeOf(problem, submission.isError) : undefined,
    submission,
  };
}
