import { words } from '~/format/words';
import { Chip, type Tone } from './Chip';

/**
 * The status language of the app: each status of a record, with its tone. Good is in force or done. Accent waits for another person.
 * Warn needs attention. Bad failed. Neutral is ended or off. A status means the same everywhere.
 */
const tones: Record<string, Tone> = {
  accepted: 'good',
  active: 'good',
  closed: 'good',
  current: 'good',
  delivered: 'good',
  executed: 'good',
  joined: 'good',
  ok: 'good',
  on: 'good',
  succeeded: 'good',
  trialing: 'good',
  valid: 'good',

  create: 'accent',
  invited: 'accent',
  issued: 'accent',
  planned: 'accent',
  running: 'accent',
  update: 'accent',

  confirmedOnce: 'warn',
  incomplete: 'warn',
  partial: 'warn',
  pastDue: 'warn',
  pending: 'warn',
  requested: 'warn',
  retrying: 'warn',
  taken: 'warn',
  unpaid: 'warn',
  warning: 'warn',

  bounced: 'bad',
  declined: 'bad',
  error: 'bad',
  failed: 'bad',
  infected: 'bad',
  refused: 'bad',
  scanFailed: 'bad',
};

/** The words of statuses that differ from their names. */
const spelled: Record<string, string> = {
  confirmedOnce: 'Confirm once more',
  create: 'New',
  executed: 'Recorded',
  requested: 'Request',
  taken: 'Outcome open',
};

/** Returns the tone of a status. All others are ended or off. */
export const toneOf = (status: string): Tone => tones[status] ?? 'neutral';

/** Returns the word of a status. */
export const stateName = (status: string): string => spelled[status] ?? words(status);

/** Returns the status of a security as people read it: one that its holder has not accepted yet is issued. */
export const heldAs = (status: string): string => (status === 'active' ? 'issued' : status);

/** The status of a record as a word in its tone. */
export const State = ({ of: status }: { of: string }) => <Chip tone={toneOf(status)}>{stateName(status)}</Chip>;
