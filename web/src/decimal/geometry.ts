import { type Decimal, scaled } from './decimal';

const steps = 1_000_000n;

/** Returns part ÷ whole as a number for lengths and angles of drawings, never for a displayed figure. */
export function ratio(part: Decimal, whole: Decimal): number {
  const divisor = scaled(whole);
  if (divisor === 0n) return 0;
  return Number((scaled(part) * steps) / divisor) / Number(steps);
}

/** Returns the value as a number for the position in a drawing, never for a displayed figure. */
export const position = (value: Decimal): number => Number(value);

/** Returns the decimal of a position in a drawing, such as the value under a slider, as a whole number. */
export const fromPosition = (value: number): Decimal => BigInt(Math.round(value)).toString();
