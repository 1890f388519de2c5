import { figureFormat } from './locale';

const whole = figureFormat({});

/** Names with an abbreviation or a fixed spelling. */
const terms: Record<string, string> = {
  '30_360': '30/360',
  actual365: 'Actual/365',
  email: 'E-mail',
  externalId: 'Your reference',
  llc: 'LLC',
  mfn: 'Most favored nation',
  post: 'Post-money',
  pre: 'Pre-money',
  preMoney: 'Pre-money',
};

/** Returns the words of a camel case name: issueDate becomes "Issue date", seriesA "Series A", and rule144Date "Rule 144 date". */
export function words(name: string): string {
  const term = terms[name];
  if (term) return term;
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([a-z])([0-9])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase()
    .replace(/ [a-z]$/, (letter) => letter.toUpperCase());
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Returns a count with its noun: 1 holder, 2 holders. */
export const counted = (count: number, noun: string, plural = noun.endsWith('s') ? `${noun}es` : `${noun}s`): string =>
  `${whole.format(count)} ${count === 1 ? noun : plural}`;
