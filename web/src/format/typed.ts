import type { Decimal } from '~/decimal/decimal';
import { figureFormat, separator } from './locale';

/** Notation is the form in which a reader types and reads numbers. */
export type Notation = {
  form: RegExp;
  /** Whether a point separates thousands, although canonical numbers, as in copied rows and exports, have it before decimals. */
  pointGroups: boolean;
};

const inSet = (characters: string[]) =>
  [...new Set(characters)].map((one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

/**
 * Returns the notation of a locale. The rules, so that no text is read as another number than the reader means:
 *
 * - A separator has one meaning: that of the locale in numbers and amounts. A point is also a decimal point where it does not
 *   separate thousands, so that canonical numbers can be entered. Spaces and underscores separate thousands everywhere.
 * - Thousands are complete groups, of three digits or as the locale has them, and the first one does not begin with 0. "1,5" and
 *   "0.125" are therefore refused where the sign separates thousands. They are neither 15 and 125 nor decimals.
 * - A pasted "1.234" is refused where the point separates thousands: it may be canonical. A typed one is 1234, because the app
 *   displays 1234 so.
 */
export function notationOf(locale?: string): Notation {
  const formats = [figureFormat({}, locale), figureFormat({ style: 'currency', currency: 'USD' }, locale)];
  const groups = formats.map((format) => separator('group', format)).filter(Boolean);
  const decimals = formats.map((format) => separator('decimal', format)).filter((sign) => !groups.includes(sign));
  const pointGroups = groups.includes('.');
  if (groups.some((sign) => "'’".includes(sign))) groups.push("'", '’');
  const sizes = figureFormat({}, locale)
    .formatToParts(1234567890)
    .filter((part) => part.type === 'integer')
    .slice(1);
  const inner = sizes.some((part) => part.value.length === 2) ? '{2,3}' : '{3}';
  const group = `[${inSet([...groups.filter((sign) => sign.trim()), '_']).join('')}\\s]`;
  const decimal = `[${inSet(pointGroups ? decimals : [...decimals, '.']).join('')}]`;
  const whole = `[0-9]+|[1-9][0-9]{0,2}(?:${group}[0-9]${inner})*${group}[0-9]{3}`;
  return { form: new RegExp(`^(-?)(${whole})(?:${decimal}([0-9]+))?$`, 'u'), pointGroups };
}

const readerNotation = notationOf();

/** Returns the text without marks of direction, with the minus sign of ASCII. */
const simple = (text: string): string =>
  text
    .replace(/[\u200e\u200f\u061c]/g, '')
    .trim()
    .replace(/^\u2212/, '-');

/** Returns a typed number; undefined if the text is none in the notation. */
export function decimalOf(text: string, { form }: Notation = readerNotation): Decimal | undefined {
  const parts = form.exec(simple(text));
  if (!parts) return undefined;
  const [, sign, whole = '', fraction] = parts;
  return `${sign}${whole.replace(/[^0-9]/g, '')}${fraction ? `.${fraction}` : ''}`;
}

/** Reports whether a pasted text may be a number with thousands or a canonical number with decimals. */
export const isAmbiguous = (text: string, { pointGroups }: Notation = readerNotation): boolean =>
  pointGroups && /^-?[0-9]{1,3}\.[0-9]{3}$/.test(simple(text));

/**
 * Returns a text that is no number in the notation, in a form that no part of the app or of the server takes for one or several
 * numbers. Texts without digits stay, such as "unlimited".
 */
export const refused = (text: string): string => (/[0-9]/.test(text) ? `${text.replace(/[,|]/g, ' ')}?` : text);
