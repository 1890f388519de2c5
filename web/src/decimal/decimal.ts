/** Exact arithmetic on decimal strings such as "1250.5". No function converts a value into a floating point number. */

/** Decimal is an exact decimal number as a string, as in the contract. */
export type Decimal = string;

const places = 10;
const unit = 10n ** BigInt(places);
const whole = /^-?[0-9]+$/;
const form = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

/** Returns the value in units of 1e-10; digits beyond them are cut. Throws if the text is not a decimal number. */
export function scaled(value: Decimal): bigint {
  if (value === '0') return 0n; // most values of large tables
  if (whole.test(value)) return BigInt(value) * unit;
  const parts = form.exec(value);
  if (!parts) throw new RangeError(`not a decimal number: ${value}`);
  const [, sign, integer = '0', fraction = ''] = parts;
  const digits = BigInt(integer + fraction.slice(0, places).padEnd(places, '0'));
  return sign ? -digits : digits;
}

/** Returns the decimal string of a value in units of 1e-10, without trailing zeros. */
export function unscaled(value: bigint): Decimal {
  const magnitude = value < 0n ? -value : value;
  const fraction = (magnitude % unit).toString().padStart(places, '0').replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${magnitude / unit}${fraction && `.${fraction}`}`;
}

/** Reports whether a text is a decimal number. */
export const isDecimal = (text: string): boolean => form.test(text);

export const add = (a: Decimal, b: Decimal): Decimal => unscaled(scaled(a) + scaled(b));
export const subtract = (a: Decimal, b: Decimal): Decimal => unscaled(scaled(a) - scaled(b));
export const sum = (values: Iterable<Decimal>): Decimal => {
  let total = 0n;
  for (const value of values) total += scaled(value);
  return unscaled(total);
};

/** Returns a × b, cut to ten decimal places. */
export const multiply = (a: Decimal, b: Decimal): Decimal => unscaled((scaled(a) * scaled(b)) / unit);

const placesIn = (value: Decimal): number => value.split('.')[1]?.length ?? 0;

/** Returns a × b with all its decimal places. */
export const product = (a: Decimal, b: Decimal): Decimal =>
  shift((BigInt(a.replace('.', '')) * BigInt(b.replace('.', ''))).toString(), -placesIn(a) - placesIn(b));

/** Returns a ÷ b, cut to ten decimal places; "0" if b is zero. */
export const divide = (a: Decimal, b: Decimal): Decimal => {
  const divisor = scaled(b);
  return divisor === 0n ? '0' : unscaled((scaled(a) * unit) / divisor);
};

/** Returns the value with at most the given number of decimal places. Further digits are cut. */
export function cut(value: Decimal, digits: number): Decimal {
  const step = 10n ** BigInt(places - digits);
  return unscaled((scaled(value) / step) * step);
}

/** Returns the value with at most the given number of decimal places. A half is rounded away from zero. */
export function rounded(value: Decimal, digits: number): Decimal {
  const half = 5n * 10n ** BigInt(places - digits - 1);
  return cut(unscaled(isNegative(value) ? scaled(value) - half : scaled(value) + half), digits);
}

/** Returns a negative number, zero or a positive number, as sort functions expect. */
export const compare = (a: Decimal, b: Decimal): number => {
  const difference = scaled(a) - scaled(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

export const isZero = (value: Decimal): boolean => scaled(value) === 0n;
export const isNegative = (value: Decimal): boolean => scaled(value) < 0n;
export const negate = (value: Decimal): Decimal => unscaled(-scaled(value));

/** Returns the value times 10^digits, exactly: shift("0.125", 2) is "12.5". */
export function shift(value: Decimal, digits: number): Decimal {
  const parts = form.exec(value);
  if (!parts) throw new RangeError(`not a decimal number: ${value}`);
  const [, sign, whole = '0', fraction = ''] = parts;
  const all = digits >= 0 ? whole + fraction.padEnd(digits, '0') : whole.padStart(1 - digits, '0') + fraction;
  const point = digits >= 0 ? whole.length + digits : Math.max(whole.length, 1 - digits) + digits;
  const integer = all.slice(0, point).replace(/^0+(?=[0-9])/, '');
  const rest = all.slice(point).replace(/0+$/, '');
  return `${sign}${integer}${rest && `.${rest}`}`;
}
