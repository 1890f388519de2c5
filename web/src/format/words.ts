import { figureFormat } from './locale';

const whole = figureFormat({});

/** Returns the words of a camel case name: issueDate becomes "Issue date", and seriesA "Series A". */
export function words(name: string): string {
  const spaced = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase()
    .replace(/ [a-z]$/, (letter) => letter.toUpperCase());
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Returns a count with its noun: 1 holder, 2 holders. */
export const counted = (count: number, noun: string, plural = noun.endsWith('s') ? `${noun}es` : `${noun}s`): string =>
  `${whole.format(count)} ${count === 1 ? noun : plural}`;
