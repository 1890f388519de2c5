import { describe, expect, it } from 'vitest';
import type { Schema } from '~/api/client';
import { openEvents, vestingSteps } from './curve';

const grant = (more: object) => ({ quantity: '100', ...more }) as Schema<'Option'>;
const installments = [
  { date: '2024-01-01', quantity: '50' },
  { date: '2025-01-01', quantity: '50' },
];

describe('vestingSteps', () => {
  it('adds accelerations and ends when the whole grant has vested', () => {
    const accelerations = [{ date: '2024-06-01', quantity: '30' }];
    expect(vestingSteps(grant({ accelerations }), installments)).toEqual([
      { date: '2024-01-01', quantity: '50' },
      { date: '2024-06-01', quantity: '30' },
      { date: '2025-01-01', quantity: '20' },
    ]);
  });
  it('joins the quantities of one day', () => {
    const accelerations = [{ date: '2024-01-01', quantity: '10' }];
    expect(vestingSteps(grant({ accelerations }), installments)[0]).toEqual({ date: '2024-01-01', quantity: '60' });
  });
  it('stops at the end of service', () => {
    const termination = { date: '2024-12-31', reason: 'voluntaryOther' };
    expect(vestingSteps(grant({ termination }), installments)).toEqual([installments[0]]);
  });
});

describe('openEvents', () => {
  const terms = {
    conditions: [
      { id: 'start', when: { kind: 'start' } },
      { id: 'a', when: { kind: 'event', event: 'launch' } },
      { id: 'listing', when: { kind: 'event' } },
    ],
  };
  it('names events without a date', () => expect(openEvents({ terms })).toEqual(['launch', 'listing']));
  it('leaves out events that happened', () => {
    expect(openEvents({ terms, happenings: [{ condition: 'launch', date: '2024-01-01' }] })).toEqual(['listing']);
  });
});
