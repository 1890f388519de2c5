import { sentence } from '~/format/sentence';
import type { components } from './schema';
import { noteRefusal } from './session';

type ErrorBody = components['schemas']['Error'];

/** FieldFault is one faulty field of a refused request. */
export type FieldFault = components['schemas']['FieldError'];

/** Problem is a refused or failed request. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  /** The reason of a refused sign-in, such as `invalidCredentials`. */
  readonly key: string;
  readonly faults: FieldFault[];
  readonly details: Record<string, string>;
  readonly requestId: string;

  constructor(status: number, body: Partial<ErrorBody>) {
    super(sentence(body.message ?? body.error ?? 'The server gave no answer.'));
    this.name = 'Problem';
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.key = body.key ?? '';
    this.faults = (body.errors ?? []).map((fault) => ({ ...fault, message: sentence(fault.message) }));
    this.details = body.details ?? {};
    this.requestId = body.requestId ?? '';
  }
}

/** The name of the error of code that could not be loaded. */
export const partFault = 'PartFault';

const connection = /fetch|network|load failed|abort/i;

/** Returns the problem behind any thrown value. A failed connection becomes a problem with status 0. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof Error && thrown.name === partFault) {
    return new Problem(0, { code: 'part', message: thrown.message });
  }
  if (thrown instanceof Error && !connection.test(thrown.message)) {
    return new Problem(-1, { code: 'fault', message: `The page has a fault (${thrown.message}).` });
  }
  return new Problem(0, { code: 'offline', message: 'The server cannot be reached. Check your connection.' });
}

/** Returns the problem of a failed response. */
export async function readProblem(response: Response): Promise<Problem> {
  if (response.status === 401) noteRefusal();
  const body: Partial<ErrorBody> = await response
    .clone()
    .json()
    .catch(() => ({}));
  return new Problem(response.status, body);
}
