import { describe, expect, it } from 'vitest';
import { Problem } from '~/api/problem';
import { outcomeOf } from './outcome';

const offline = (sent?: string) => new Problem(0, { code: 'offline', ...(sent && { details: { sent } }) });

describe('outcome of a posting', () => {
  it('is certain if nothing was sent', () => expect(outcomeOf(offline('no'), true).kind).toBe('unreached'));
  it('is unknown if the connection broke after sending', () => expect(outcomeOf(offline(), true).kind).toBe('unknown'));
  it('is unknown if the server says so', () =>
    expect(outcomeOf(new Problem(503, { code: 'outcomeUnknown' }), true).kind).toBe('unknown'));
  it('is unknown behind a failed gateway', () => expect(outcomeOf(new Problem(504, {}), true).kind).toBe('unknown'));
  it('is certain for previews without a connection', () => expect(outcomeOf(offline(), false).kind).toBe('unreached'));
  it('is a refusal if the store was unavailable', () =>
    expect(outcomeOf(new Problem(503, { code: 'unavailable', message: 'Busy.' }), true)).toEqual({
      kind: 'refused',
      text: 'Busy. Nothing was recorded.',
    }));
  it('is certain after the end of the session', () =>
    expect(outcomeOf(new Problem(401, {}), true).kind).toBe('unreached'));
  it('tells that the record changed', () => expect(outcomeOf(new Problem(412, {}), true).kind).toBe('changed'));
});
