import type { Sentences } from '../describe';
import { after, bracketed, type Facts, plain, say } from '../facts';

/** The new holder and certificate of an issue. The holder in the register comes first, a different printed name after it. */
const holder = (facts: Facts) => {
  const printed = facts.text('shareholderName');
  const registered = facts.name('entity', printed);
  return say(
    after('to', registered),
    printed !== registered && bracketed(after('on the certificate:', printed)),
    bracketed(facts.text('certificate')),
  );
};

const shareholding = (facts: Facts, path = 'id') => facts.name(path, 'a shareholding');

const ended = (verb: string) => (facts: Facts) =>
  say(verb, facts.count('shares', 'shares'), 'of', shareholding(facts, 'from.0'));

/** Events of shares. */
export const shareSentences: Sentences = {
  shareholdingIssued: (facts) =>
    say('Issued', facts.count('shares', 'shares'), after('of', facts.name('security', '')), holder(facts)),
  shareholdingAccepted: (facts) => `${shareholding(facts)} was accepted`,
  shareholdingAmended: (facts) => `Changed details of ${shareholding(facts)}`,
  shareholdingCorrected: (facts) => `Corrected ${shareholding(facts)}`,
  shareholdingVoided: (facts) => `Voided ${shareholding(facts)}`,
  shareholdingVestingStopped: (facts) => `Stopped the vesting of ${shareholding(facts, 'shareholdings.0')}`,
  shareholdingTransferred: (facts) =>
    say(
      'Transferred',
      facts.count('shares', 'shares'),
      'of',
      shareholding(facts, 'from.0'),
      holder(facts.within('results.0')),
    ),
  shareholdingCancelled: ended('Cancelled'),
  shareholdingRetracted: ended('Retracted'),
  shareholdingConverted: (facts) => {
    const results = facts.list('results').length;
    const result = facts.within('results.0');
    return say(
      'Converted',
      facts.count('shares', 'shares'),
      'of',
      shareholding(facts, 'from.0'),
      'into',
      results > 0 ? result.count('shares', 'shares') : 'cash',
      after('of', result.name('security', '')),
      bracketed(result.text('certificate')),
    );
  },
  shareholdingRepurchased: (facts) =>
    say(
      'Repurchased',
      facts.count('shares', 'shares'),
      'of',
      shareholding(facts, 'from.0'),
      after('at', facts.money('price')),
      facts.at('toTreasury') === true && 'into the treasury',
    ),
  shareholdingReissued: (facts) =>
    say('Replaced', shareholding(facts, 'from.0'), after('by', facts.text('results.0.certificate'))),
  shareholdingConsolidated: (facts) =>
    say('Joined', `${facts.list('from').length} shareholdings`, after('into', facts.text('results.0.certificate'))),
  securityCreated: (facts) => say('Created the class', facts.text('terms.name')),
  securityChanged: (facts) => say('Changed the class', facts.text('terms.name')),
  securityDeleted: (facts) => `Deleted ${facts.name('id', 'a class')}`,
  sharesAuthorized: (facts) =>
    say(
      'Authorized',
      facts.count('authorized', 'shares') || plain(facts.text('authorized')),
      'of',
      facts.name('id', 'a class'),
    ),
  securitySplit: (facts) =>
    say(
      'Split',
      facts.name('id', 'a class'),
      facts.text('ratio.numerator') && `${facts.text('ratio.numerator')} for ${facts.text('ratio.denominator')}`,
    ),
  securityConversionAdjusted: (facts) =>
    say('Adjusted the conversion of', facts.name('id', 'a class'), after('to', facts.text('ratio'))),
  legendCreated: (facts) => say('Created the legend', facts.text('terms.name')),
  legendChanged: (facts) => say('Changed the legend', facts.text('terms.name')),
  legendDeleted: (facts) => `Deleted ${facts.name('id', 'a legend')}`,
  valuationCreated: (facts) =>
    say(
      'Recorded a',
      facts.text('terms.type'),
      'valuation of',
      facts.name('terms.security', 'a class'),
      after('at', facts.money('terms.pricePerShare')),
      'per share',
    ),
  valuationChanged: (facts) => say('Changed a valuation of', facts.name('terms.security', 'a class')),
  blockCreated: (facts) =>
    say('Recorded the round', facts.text('terms.name'), after('with', facts.money('terms.raised'))),
  blockChanged: (facts) => say('Changed the round', facts.text('terms.name')),
  blockDeleted: (facts) => `Deleted ${facts.name('id', 'a round')}`,
};
