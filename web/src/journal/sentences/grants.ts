import { reasonName } from '~/grants/kinds';
import type { Sentences } from '../describe';
import { after, bracketed, type Facts, say } from '../facts';

const grant = (facts: Facts) => facts.name('id', 'a grant');

const reduced = (verb: string, between: string) => (facts: Facts) =>
  say(verb, facts.count('taking.quantity', 'options'), between, grant(facts));

/** Events of equity plans, grants and vesting schedules. */
export const grantSentences: Sentences = {
  planCreated: (facts) => say('Created the plan', facts.text('terms.name')),
  planChanged: (facts) => say('Changed the plan', facts.text('terms.name')),
  planDeleted: (facts) => `Deleted ${facts.name('id', 'a plan')}`,
  poolAdjusted: (facts) =>
    say('Changed the pool of', facts.name('plan', 'a plan'), after('to', facts.count('totalShares', 'shares'))),
  vestingScheduleCreated: (facts) => say('Created the vesting schedule', facts.text('terms.name')),
  vestingScheduleSuperseded: (facts) => say('Replaced the vesting schedule', facts.text('terms.name')),
  vestingScheduleDeleted: (facts) => `Deleted ${facts.name('id', 'a vesting schedule')}`,
  optionGranted: (facts) =>
    say(
      'Granted',
      facts.count('quantity', 'options'),
      after('to', facts.name('entity', '')),
      after('at', facts.money('exercisePrice')),
      bracketed(facts.text('type').toUpperCase()),
    ),
  optionAccepted: (facts) => `${grant(facts)} was accepted`,
  optionAmended: (facts) => `Changed details of ${grant(facts)}`,
  optionCorrected: (facts) => `Corrected ${grant(facts)}`,
  optionVoided: (facts) => `Voided ${grant(facts)}`,
  optionRepriced: (facts) => say('Repriced', grant(facts), after('to', facts.money('exercisePrice'))),
  optionRetracted: (facts) => `Retracted ${grant(facts)}`,
  optionVestingChanged: (facts) =>
    facts.has('acceleration')
      ? say('Accelerated', facts.count('acceleration.quantity', 'options'), 'of', grant(facts))
      : `Recorded a vesting event of ${grant(facts)}`,
  optionExerciseRequested: (facts) =>
    say('Requested to exercise', facts.count('request.quantity', 'options'), 'of', grant(facts)),
  optionExerciseDeclined: (facts) => `Declined an exercise of ${grant(facts)}`,
  optionExercised: (facts) => say(reduced('Exercised', 'of')(facts), after('into', facts.text('result.certificate'))),
  optionReleased: (facts) =>
    say(
      'Released',
      facts.within('result').count('shares', 'shares'),
      'of',
      grant(facts),
      bracketed(facts.text('result.certificate')),
    ),
  optionCancelled: reduced('Cancelled', 'of'),
  optionTerminated: (facts) =>
    say(reduced('Forfeited', 'of')(facts), after('after', reasonName(facts.text('termination.reason')).toLowerCase())),
  optionExpired: (facts) => say(facts.count('taking.quantity', 'options'), 'of', grant(facts), 'lapsed'),
};
