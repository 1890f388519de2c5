import { isDecimal } from '~/decimal/decimal';
import { day } from '~/format/dates';
import { exactPercent, money, quantity } from '~/format/figures';

/** Data is the content of an event of the journal. */
export type Data = { [field: string]: unknown };

/** Names holds the display names of records, holders and users by their ids. */
export type Names = ReadonlyMap<string, string>;

/** Returns the key of the currency of a debt among the names. */
export const currencyKey = (id: string): string => `${id} currency`;

/** Facts reads the content of an event for its sentence. Missing facts are empty text, so that sentences leave them out. */
export class Facts {
  readonly data: Data;
  readonly names: Names;
  /** The currency of prices that state none. */
  readonly currency: string | undefined;

  constructor(data: Data, names: Names, currency?: string) {
    this.data = data;
    this.names = names;
    this.currency = currency;
  }

  /** The value at a path such as "terms.name" or "results.0.certificate". */
  at(path: string): unknown {
    return path.split('.').reduce<unknown>((value, field) => (value as Data | undefined)?.[field], this.data);
  }

  text(path: string): string {
    const value = this.at(path);
    return typeof value === 'string' ? value : '';
  }

  has(path: string): boolean {
    return this.at(path) !== undefined;
  }

  /** The facts of an object of the content. */
  within(path: string): Facts {
    const value = this.at(path);
    return new Facts(typeof value === 'object' && value !== null ? (value as Data) : {}, this.names, this.currency);
  }

  list(path: string): unknown[] {
    const value = this.at(path);
    return Array.isArray(value) ? value : [];
  }

  /** A quantity with its noun: "1,000 shares". */
  count(path: string, noun: string): string {
    const value = this.text(path);
    if (!isDecimal(value)) return '';
    return `${quantity(value)} ${value === '1' ? noun.replace(/s$/, '') : noun}`;
  }

  /** A price or an amount: "$150,000.00". One whose currency is unknown is its number. */
  money(path: string, currency = this.currency): string {
    const value = this.at(path);
    if (typeof value === 'string') {
      if (!isDecimal(value)) return '';
      return currency ? money(value, currency) : quantity(value);
    }
    const amount = this.text(`${path}.amount`);
    const own = this.text(`${path}.currency`);
    return isDecimal(amount) && own ? money(amount, own) : '';
  }

  /** An amount of the debt whose id stands at a path, in the currency of its principal. */
  debt(path: string, id: string): string {
    return this.money(path, this.names.get(currencyKey(this.text(id))) ?? '');
  }

  percent(path: string): string {
    const value = this.text(path);
    return isDecimal(value) ? exactPercent(value) : '';
  }

  day(path: string): string {
    const value = this.text(path);
    return value && day(value);
  }

  /** The name of the record, the holder or the user whose id stands at a path; the fallback if it is unknown. */
  name(path: string, fallback: string): string {
    return this.names.get(this.text(path)) ?? fallback;
  }
}

/** Joins the parts of a sentence. Empty parts are left out. */
export const say = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join(' ');

/** Returns text with a word before it, or nothing without the text. */
export const after = (word: string, text: string): string => text && `${word} ${text}`;

/** Returns text in brackets, or nothing without the text. */
export const bracketed = (text: string): string => text && `(${text})`;

/** Returns the words of a code in the middle of a sentence: "involuntaryDeath" becomes "involuntary death". */
export const plain = (code: string): string => code.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
