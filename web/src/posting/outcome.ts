import type { Problem } from '~/api/problem';

/** Outcome is what a form states after a failed preview or a failed submission. */
export type Outcome = {
  /** refused: corrected in the form. changed: the record is newer. unknown: recorded or not. unreached: not sent. */
  kind: 'refused' | 'changed' | 'unknown' | 'unreached';
  text: string;
};

const answerless = new Set([0, 502, 504]);

/** Returns the outcome of a failed preview, which never records anything, or of a failed submission. */
export function outcomeOf(problem: Problem, submitted: boolean): Outcome {
  if (problem.status === 412) {
    return { kind: 'changed', text: 'This record changed after the form was opened. Nothing was recorded.' };
  }
  if (problem.code === 'offline' && problem.details.sent === 'no') {
    return { kind: 'unreached', text: 'You are offline. Nothing was recorded.' };
  }
  if (submitted && (problem.code === 'outcomeUnknown' || answerless.has(problem.status))) {
    const text =
      'It is not known whether the change was recorded, because the answer was lost. Try again: a recorded change is not repeated.';
    return { kind: 'unknown', text };
  }
  if (problem.status === 401) {
    return { kind: 'unreached', text: 'You were signed out. Nothing was recorded.' };
  }
  if (answerless.has(problem.status)) {
    return { kind: 'unreached', text: `${problem.message} Nothing was recorded.` };
  }
  return { kind: 'refused', text: submitted ? `${problem.message} Nothing was recorded.` : problem.message };
}
