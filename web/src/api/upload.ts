import { Problem, readProblem } from './problem';
import type { components } from './schema';

/** Progress reports the sent part of an upload, from 0 to 1. */
export type Progress = (sent: number) => void;

/**
 * Sends a form with files and returns the JSON of the answer. A refusal throws a Problem. Unlike fetch it reports its progress.
 */
export function sendForm<Answer>(
  path: string,
  body: FormData,
  headers: Record<string, string>,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1${path}`);
    request.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onerror = () =>
      reject(new Problem(0, { code: 'offline', message: 'The server cannot be reached. Check your connection.' }));
    request.onabort = () => reject(new Problem(0, { code: 'cancelled', message: 'The upload was cancelled.' }));
    request.onload = () => {
      const answer = jsonOf(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(answer as Answer);
      else reject(new Problem(request.status, (answer ?? {}) as Partial<components['schemas']['Error']>));
    };
    signal?.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a file of a record of a company, such as a logo or a report. */
export async function storeFile(organization: string, file: File): Promise<components['schemas']['File']> {
  const body = new FormData();
  body.append('file', file);
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const response = await fetch(`/v1/organization/${organization}/file`, { method: 'POST', headers, body });
  if (!response.ok) throw await readProblem(response);
  return response.json();
}
