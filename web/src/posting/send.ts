import type { OperationId, Schema } from '~/api/client';
import { Problem, readProblem } from '~/api/problem';
import { filled } from '~/api/read';
import { operationOf } from './contract';
import type { Body, StoredRecord } from './posting';

type Request = { operation: OperationId; path: Record<string, string>; body: Body; key?: string; tag?: string };

/** Answer is the answer to a recorded change. Sequence is its position in the journal, if the answer has one. */
export type Answer = { record: StoredRecord; sequence: string | undefined };

async function request(
  { operation, path, body, key, tag }: Request,
  dryRun: boolean,
  signal?: AbortSignal,
): Promise<Response> {
  const { method, path: template, idempotent, conditional, fields } = operationOf(operation);
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(fields.length > 0 && { 'Content-Type': 'application/json' }),
    ...(idempotent && key && !dryRun && { 'Idempotency-Key': key }),
    ...(conditional && tag && { 'If-Match': tag }),
  };
  const response = await fetch(`/v1${filled(template, path)}${dryRun ? '?dryRun=true' : ''}`, {
    method,
    headers,
    signal,
    ...(fields.length > 0 && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await readProblem(response);
  return response;
}

/** Returns the effect of a change without recording it. Throws a Problem if it would be refused. */
export async function preview(change: Request, signal: AbortSignal): Promise<Schema<'Preview'>> {
  return (await request(change, true, signal)).json();
}

/** Records a change. With the same key, a repetition has no second effect. */
export async function send(change: Request): Promise<Answer> {
  if (!navigator.onLine)
    throw new Problem(0, { code: 'offline', message: 'You are offline.', details: { sent: 'no' } });
  const response = await request(change, false);
  const record: StoredRecord = response.status === 204 ? {} : await response.json();
  return { record, sequence: sequenceOf(record) };
}

/** Returns the latest position in the journal of an answer: of its record, or of the records in it. */
export function sequenceOf(answer: StoredRecord): string | undefined {
  const records = [answer, ...Object.values(answer).flat()].filter((one) => typeof one === 'object' && one !== null);
  const versions = records.map((one) => one.sequence ?? one.version).filter((one) => typeof one === 'number');
  return versions.length > 0 ? Math.max(...versions).toString() : undefined;
}
