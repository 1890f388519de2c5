import { type Decimal, divide, isZero, scaled } from '~/decimal/decimal';
import { figureFormat, separator } from './locale';

type Exact = Intl.StringNumericLiteral;

const whole = figureFormat({ maximumFractionDigits: 10 });
const stake = figureFormat({ style: 'percent', minimumFractionDigits: 4, maximumFractionDigits: 4 });
const brief = figureFormat({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
const exact = figureFormat({ style: 'percent', maximumFractionDigits: 8 });

const separators: Partial<Record<Intl.NumberFormatPartTypes, string>> = {
  group: separator('group', whole),
  decimal: separator('decimal', whole),
};

/** Returns a format with English units, which are narrow and belong to the texts, and the separators of the reader. */
function withUnits(options: Intl.NumberFormatOptions): (value: Exact) => string {
  const format = figureFormat(options, 'en-US');
  return (value) =>
    format
      .formatToParts(value)
      .map((part) => separators[part.type] ?? part.value)
      .join('');
}

const compact = withUnits({ notation: 'compact', maximumFractionDigits: 1 });

/** Returns all digits of a quantity, grouped: 1,234,567 in English. */
export const quantity = (value: Decimal): string => whole.format(value as Exact);

/** Returns a quantity for a cell of a table. Zero is an en dash. */
export const cell = (value: Decimal | undefined): string =>
  value === undefined || isZero(value) ? '–' : quantity(value);

/** Returns a short quantity for the label of a drawing, such as 81.2M. */
export const short = (value: Decimal): string => compact(value as Exact);

const smallestStake = scaled('0.000001');

/**
 * Returns a fraction as a percentage with four decimals. A value below is never rounded to zero, also if the fraction has too few decimals
 * for the part that it states.
 */
export function percent(fraction: Decimal | undefined, part: Decimal | undefined = fraction): string {
  if (fraction === undefined || part === undefined || isZero(part)) return '–';
  const value = scaled(fraction);
  return value >= 0n && value < smallestStake ? `<${stake.format(0.000001)}` : stake.format(fraction as Exact);
}

/** Returns a fraction as a percentage with two decimals, for labels beside exact figures. */
export const roughPercent = (fraction: Decimal): string =>
  isZero(fraction)
    ? '–'
    : scaled(fraction) < scaled('0.0001')
      ? `<${brief.format(0.0001)}`
      : brief.format(fraction as Exact);

/** Returns part ÷ whole as a percentage with four decimals. */
export const share = (part: Decimal, total: Decimal): string =>
  isZero(total) ? '–' : percent(divide(part, total), part);

const most = 20; // decimals of a quantity times a price

/** Returns a price with its currency and all its decimals, at least those of the currency. */
export const money = (amount: Decimal, currency: string): string =>
  figureFormat({ style: 'currency', currency, maximumFractionDigits: most }).format(amount as Exact);

/** Returns an amount rounded to the decimals of its currency: $11.00. */
export const cents = (amount: Decimal, currency: string): string =>
  figureFormat({ style: 'currency', currency }).format(amount as Exact);

/** Returns the number of decimals of a currency: two of most of them. */
export const decimalsOf = (currency: string): number =>
  figureFormat({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Returns a short amount for the label of a drawing, such as $335.1M. */
export const shortMoney = (amount: Decimal, currency: string): string =>
  withUnits({ style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 })(amount as Exact);

/** Price is a decimal in the currency of the organization, or an amount with its own. */
type Price = Decimal | { amount: Decimal; currency: string };

/** Returns a price of the contract: a decimal in the given currency, or an amount with its own; an en dash if it is unknown. */
export function price(value: Price | undefined, currency = ''): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? money(value, currency) : money(value.amount, value.currency);
}

/** Returns the number of a price or of an amount with its currency, for sorting and sums. */
export const amountOf = (value: Price | undefined): Decimal | undefined =>
  typeof value === 'string' ? value : value?.amount;

/** Returns an amount like a price, but rounded to the decimals of its currency. */
export function amountCell(value: Price | undefined, currency = ''): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? cents(value, currency) : cents(value.amount, value.currency);
}

/** Returns a fraction as the text of a percentage without rounding: "0.125" is "12.5%". */
export const exactPercent = (fraction: Decimal): string => exact.format(fraction as Exact);

/** Returns a file size such as 1.4 MB. */
export function size(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  let power = 0;
  let value = bytes;
  while (value >= 1000 && power < units.length - 1) {
    value /= 1000;
    power++;
  }
  return withUnits({
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  })(`${value}` as Exact);
}
