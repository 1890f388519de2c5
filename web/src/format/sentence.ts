import { day } from './dates';
import { quantity } from './figures';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ids = new RegExp(uuid, 'g');
const bracketedIds = new RegExp(` \\([a-z ]*${uuid}\\)`, 'g');
const bareIds = new RegExp(` ${uuid}`, 'g');
const dates = /\b\d{4}-\d{2}-\d{2}\b/g;

/** A number of at least four digits that is no part of a word, a fraction, a quoted text, or an address. */
const numbers = /(?<![\w.,/#:"'`-])\d{4,}(?:\.\d+)?(?![\w/:"'`-]|[.,]\d)/g;
const isYear = /^(?:1[6-9]|20|99)\d\d$/;
const counts =
  /^ (?:shares|options|warrants|units|outstanding|granted|promised|available|from conversions|were|would)\b/;

/**
 * Returns a sentence of the server in the form of the reader: with grouped digits, dates of fixed width, and no ids. Known ids become
 * names. A number like a year, as in the name of a plan, is grouped only before a noun that is counted.
 */
export function sentence(text: string, names: ReadonlyMap<string, string> = new Map()): string {
  return text
    .replace(ids, (id) => names.get(id) ?? id)
    .replace(bracketedIds, '')
    .replace(bareIds, '')
    .replace(numbers, (number, at: number, all: string) =>
      isYear.test(number) && !counts.test(all.slice(at + number.length)) ? number : quantity(number),
    )
    .replace(dates, day);
}
