import type { Sentences } from '../describe';
import { after, bracketed, type Facts, say } from '../facts';

const kinds: Record<string, string> = { safe: 'a SAFE', convertibleNote: 'a convertible note', warrant: 'a warrant' };

const instrument = (facts: Facts) => facts.name('id', 'a convertible or warrant');

/** Events of convertibles, warrants and the capital. */
export const instrumentSentences: Sentences = {
  holdingIssued: (facts) =>
    say(
      'Issued',
      kinds[facts.text('kind')] ?? 'an instrument',
      after('of', facts.money('principal')) || after('for', facts.count('quantity', 'shares')),
      after('to', facts.name('entity', '')),
    ),
  holdingAccepted: (facts) => `Recorded the acceptance of ${instrument(facts)}`,
  holdingAmended: (facts) => `Changed details of ${instrument(facts)}`,
  holdingCorrected: (facts) => `Corrected ${instrument(facts)}`,
  holdingVoided: (facts) => `Voided ${instrument(facts)}`,
  holdingRepaid: (facts) => say('Repaid', facts.debt('amount', 'id'), 'of', instrument(facts)),
  holdingConverted: (facts) =>
    say(
      'Converted',
      instrument(facts),
      after('into', facts.within('result').count('shares', 'shares')),
      after('of', facts.name('result.security', '')),
      bracketed(facts.text('result.certificate')),
    ),
  holdingExercised: (facts) =>
    say(
      'Exercised',
      facts.count('quantity', 'shares'),
      'of',
      instrument(facts),
      bracketed(facts.text('result.certificate')),
    ),
  holdingTransferred: (facts) => say('Transferred', instrument(facts), after('to', facts.name('result.entity', ''))),
  holdingCancelled: (facts) => `Cancelled ${instrument(facts)}`,
  holdingExpired: (facts) => say(instrument(facts), 'lapsed'),
  holdingRetracted: (facts) => `Retracted ${instrument(facts)}`,
  capitalChanged: (facts) => say('Recorded a change of capital', after('of', facts.name('entity', ''))),
  capitalChangeAmended: () => 'Changed a change of capital',
  configurationChanged: () => 'Changed the settings of shares and certificates',
  packageImported: (facts) =>
    say('Imported an Open Cap Format package', bracketed(after('version', facts.text('version')))),
  objectCarried: () => 'Kept an object of an imported package',
};
