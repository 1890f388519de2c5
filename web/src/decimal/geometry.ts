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

/** Returns the position of a slider. */
export const sliderPosition = (slider: HTMLInputElement): number => slider.valueAsNumber;

/** The number of positions of a slider. */
export const positions = 1000;

/** Returns the position of a value between two bounds on a logarithmic scale, from 0 to `positions`. */
export function logPosition(value: Decimal, from: Decimal, to: Decimal): number {
  const [low, high, at] = [Number(from), Number(to), Number(value)];
  if (!(at > low)) return 0;
  return Math.min(positions, Math.round((Math.log(at / low) / Math.log(high / low)) * positions));
}

/** Returns the value of a slider at a position on a logarithmic scale, with two significant digits as a whole number. */
export function fromLogPosition(at: number, from: Decimal, to: Decimal): Decimal {
  const [low, high] = [Number(from), Number(to)];
  const exact = low * (high / low) ** (at / positions);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
  return fromPosition(Math.round(exact / step) * step);
}
