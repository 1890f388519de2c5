import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Problem, problemOf } from '~/api/problem';
import { valueAt } from './body';
import { operationOf } from './contract';
import type { Body, Context, FieldSpec, Posting } from './posting';
import { ownsPath, parameterOf } from './records';
import { preview, send } from './send';

const pause = 300; // milliseconds between the last keystroke and the preview

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Returns the fields of a posting in the form of their specification, without those that do not apply. */
export const fieldsOf = (posting: Posting, body: Body, context: Context): FieldSpec[] =>
  posting.fields
    .map((field) => (typeof field === 'string' ? { name: field } : field))
    .filter((field) => field.when?.(body, context) ?? true);

/** Holds the state of an open form: its body, its preview and its submission. The idempotency key is created once. */
export function usePosting(posting: Posting, context: Context, recordTag: string | undefined) {
  const operation = operationOf(posting.operation);
  const tag = posting.record && ownsPath(posting.record, operation.path) ? recordTag : undefined;
  const queries = useQueryClient();
  const [key] = useState(() => crypto.randomUUID());
  const [body, setBody] = useState<Body>(() => posting.initial?.(context) ?? {});
  const path = useMemo(
    () => ({
      organization: context.company.id,
      ...(posting.record && context.record && { [parameterOf(posting.record)]: String(context.record.id) }),
      ...posting.path?.({ ...context, body }),
    }),
    [posting, context, body],
  );
  const complete = (edited: Body) => posting.complete?.(edited, context) ?? edited;
  const missing = fieldsOf(posting, body, context).filter(
    (field) =>
      (field.required ?? operation.fields.find((one) => one.name === field.name)?.required) &&
      valueAt(body, field.name) === undefined,
  );
  const settled = useSettled(body);
  const effect = useQuery({
    queryKey: ['preview', posting.operation, path, settled],
    queryFn: ({ signal }) => preview({ operation: posting.operation, path, body: complete(settled), tag }, signal),
    enabled: operation.preview === true && missing.length === 0,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const submission = useMutation({
    mutationFn: () => send({ operation: posting.operation, path, body: complete(body), key, tag }),
    onSuccess: () => queries.invalidateQueries(),
  });
  const problem = submission.error ?? (missing.length === 0 ? effect.error : null);
  return {
    body,
    setBody: (next: Body) => {
      submission.reset();
      setBody(next);
    },
    missing,
    effect: missing.length === 0 && !effect.error ? effect.data : undefined,
    previewing: effect.isFetching || settled !== body,
    problem: problem instanceof Problem ? problem : problem ? problemOf(problem) : undefined,
    submitted: submission.isError,
    submission,
  };
}
